// Starts Keepsake exactly as `make run` does, on a free port with its own data folder, and stops it at the end.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from '@playwright/test';

/** What the tests know about the running server. */
export interface Server {
  url: string;
  editor: Person;
  other: Person;
  viewer: Person;
  /** A key with the scopes read and write. */
  key: string;
  /** The folder of the database. */
  data: string;
}

export interface Person {
  email: string;
  password: string;
  name: string;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Maximum time for the start, including the import. */
const START_MS = 180_000;
/** Number of pending sample rows that are kept; few enough that new rows are on the first page. */
const ROWS_LEFT = 12;

export default async function start(): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), 'keepsake-end2end-'));
  const listen = `127.0.0.1:${await freePort()}`;
  const email = 'priya@example.org';
  const env = { ...process.env, KEEPSAKE_DATA_DIR: data, KEEPSAKE_LISTEN: listen, KEEPSAKE_ENV: 'test', KEEPSAKE_OPERATOR_EMAIL: email };
  const server = spawn('bash', ['scripts/run.sh'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = async () => {
    await ended(server);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const printed = await started(server, `http://${listen}`);
    const password = /password {2}(\S+)/.exec(printed)?.[1];
    if (!password) throw new Error(`no password was printed:\n${printed}`);
    const known: Server = {
      url: `http://${listen}`,
      editor: { email, password, name: 'First Operator' },
      other: { email: 'tomas@example.org', password: 'a window over the canal', name: 'Tomás Lind' },
      viewer: { email: 'jun@example.org', password: 'the kettle is on again', name: 'Jun Abe' },
      key: '',
      data,
    };
    await keepsake(env, ['operator', 'add', known.other.email, '--name', known.other.name, '--rights', 'edit', '--password-stdin'], known.other.password);
    await keepsake(env, ['operator', 'add', known.viewer.email, '--name', known.viewer.name, '--rights', 'view', '--password-stdin'], known.viewer.password);
    known.key = JSON.parse(await keepsake(env, ['key', 'add', 'bot', '--scope', 'read,write'])).key;
    await thin(known);
    process.env.KEEPSAKE_SERVER = JSON.stringify(known);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A server that a test may break. */
export interface Spare extends Server {
  stop: () => Promise<void>;
  /** Runs `work` while a table is missing from the database. */
  without: (table: string, work: () => Promise<void>) => Promise<void>;
}

/** A separate server for one test: empty, and quick to start. Live updates after learning are sent at once. */
export async function spare(): Promise<Spare> {
  const data = mkdtempSync(join(tmpdir(), 'keepsake-spare-'));
  const listen = `127.0.0.1:${await freePort()}`;
  const env = {
    ...process.env,
    KEEPSAKE_DATA_DIR: data,
    KEEPSAKE_LISTEN: listen,
    KEEPSAKE_ENV: 'staging',
    KEEPSAKE_EMBEDDER: 'lexical',
    KEEPSAKE_ARRIVAL_BATCH: '0',
    // Otherwise the tests would see a rehearsal in one hour of the day.
    KEEPSAKE_REHEARSE_HOUR: 'never',
    LEPTOS_SITE_ROOT: join(ROOT, 'target', 'site'),
  };
  const person = async (email: string, name: string, rights: string): Promise<Person> => {
    const password = `the lamp of ${name} is lit`;
    await keepsake(env, ['operator', 'add', email, '--name', name, '--rights', rights, '--password-stdin'], password);
    return { email, password, name };
  };
  const editor = await person('ada@example.org', 'Ada Brook', 'edit');
  const other = await person('tomas@example.org', 'Tomás Lind', 'edit');
  const viewer = await person('jun@example.org', 'Jun Abe', 'view');
  const key = JSON.parse(await keepsake(env, ['key', 'add', 'bot', '--scope', 'read,write'])).key;
  const server = spawn(binary(), ['serve'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = async () => {
    await ended(server);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await started(server, `http://${listen}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const rename = (from: string, to: string) =>
    run('python3', ['-c', 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute("PRAGMA legacy_alter_table=ON"); c.execute(f"ALTER TABLE {sys.argv[2]} RENAME TO {sys.argv[3]}")', join(data, 'keepsake.db'), from, to]);
  const without = async (table: string, work: () => Promise<void>) => {
    await rename(table, `lost_${table}`);
    try {
      await work();
    } finally {
      await rename(`lost_${table}`, table);
    }
  };
  return { url: `http://${listen}`, editor, other, viewer, key, data, stop, without };
}

/** The server that `start` started, for use in a test's process. */
export function server(): Server {
  return JSON.parse(process.env.KEEPSAKE_SERVER ?? 'null');
}

async function started(server: ChildProcess, url: string): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not started in time:\n${printed}`)), START_MS);
    const hear = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes(`Keepsake is at ${url}`)) {
        clearTimeout(late);
        resolve(printed);
      }
    };
    server.stdout?.on('data', hear);
    server.stderr?.on('data', hear);
    server.on('exit', (code) => reject(new Error(`ended with ${code}:\n${printed}`)));
  });
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.pid === undefined) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  process.kill(-server.pid, 'SIGTERM');
  await gone;
}

/** Decides on most of the sample. */
async function thin(known: Server): Promise<void> {
  const browser = await request.newContext({ baseURL: known.url });
  await browser.post('/calls/sign_in', { form: { email: known.editor.email, password: known.editor.password, next: '' } });
  const queue = await (await browser.get('/calls/review/queue')).json();
  for (const { id, version } of queue.candidates.slice(ROWS_LEFT)) {
    await browser.post('/calls/decide', { form: { 'ids[]': `${id}:${version}`, action: 'reject' } });
  }
  await browser.dispose();
}

/** Keeps a read transaction open for a while: the last step of an erasure waits for every reader. */
export const reading = (data: string, seconds: number) =>
  run('python3', ['-c', 'import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1]); c.execute("BEGIN"); c.execute("SELECT count(*) FROM facts").fetchone(); time.sleep(float(sys.argv[2]))', join(data, 'keepsake.db'), String(seconds)]);

const binary = () => join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'release', 'keepsake');

const keepsake = (env: NodeJS.ProcessEnv, args: string[], stdin = '') => run(binary(), args, env, stdin);

function run(program: string, args: string[], env = process.env, stdin = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd: ROOT, env }, (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)));
    child.stdin?.end(stdin);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
