"""Chroma, mem0 and Keepsake side by side, and the encoder that chroma and mem0 get here. `benches/peers.rs` starts this.

Stdout, a line of JSON each: the versions; the encoder's seconds for every line on stdin; after the last line, the seconds
of each subject by peer.

Every text goes to each peer in turn. All run on one core, and so does the server, which is asked over HTTP; chroma and mem0
are called in this process. They get their vectors from onnxruntime and the weights that Keepsake reads.
"""

import contextlib
import http
import http.client
import importlib.metadata
import itertools
import json
import logging
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Before the imports, which read it: threads are counted by cores.
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
WORK = tempfile.TemporaryDirectory()
os.environ.update(
    ANONYMIZED_TELEMETRY="False",
    MEM0_DIR=os.path.join(WORK.name, "home"),
    MEM0_TELEMETRY="False",
    # mem0 does not start without one; no model is asked.
    OPENAI_API_KEY="unused",
    TOKENIZERS_PARALLELISM="false",
)

import chromadb  # noqa: E402
import mem0  # noqa: E402
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from safetensors.numpy import load_file  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src/tests/data/embedding"
PACKAGES = ["chromadb", "mem0ai", "onnxruntime"]
DIMENSIONS = 384
BATCH = 32
WINDOW_TOKENS = 256
K = 8
QUESTIONS = 40
SIZES = [50, 1000]
SAVED_A_ROUND = 50
EXCHANGES = 60
LEARNED_A_ROUND = 12
WARM_UP = 3
START_SECONDS = 60
USER, LEARNER = "user", "learner"
REFUSED = http.HTTPStatus.UNPROCESSABLE_ENTITY
# Between the vectors of two programs with the same weights.
SAME_VECTOR = 1e-4


def graph(folder):
    """The encoder as an ONNX graph of plain operators."""
    config = json.loads((folder / "config.json").read_text())
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    weights = load_file(folder / "model.safetensors")
    nodes, held = [], []

    def op(kind, *inputs, **settings):
        nodes.append(helper.make_node(kind, inputs, [f"n{len(nodes)}"], **settings))
        return nodes[-1].output[0]

    def constant(value):
        held.append(numpy_helper.from_array(np.ascontiguousarray(value), f"c{len(held)}"))
        return held[-1].name

    def number(value):
        return constant(np.float32(value))

    def integers(*values):
        return constant(np.array(values, np.int64))

    def norm(x, key):
        scale, bias = constant(weights[f"{key}.weight"]), constant(weights[f"{key}.bias"])
        return op("LayerNormalization", x, scale, bias, epsilon=config["layer_norm_eps"])

    def linear(x, key):
        product = op("MatMul", x, constant(weights[f"{key}.weight"].T))
        return op("Add", product, constant(weights[f"{key}.bias"]))

    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    length = op("Shape", "ids", start=1, end=2)
    words = op("Gather", constant(weights["embeddings.word_embeddings.weight"]), "ids")
    x = op("Add", words, op("Slice", constant(places), integers(0), length, integers(0)))
    x = norm(x, "embeddings.LayerNorm")
    absent = op("Sub", number(1), op("Cast", op("Unsqueeze", "mask", integers(1, 2)), to=TensorProto.FLOAT))
    absent = op("Mul", absent, number(-1e9))
    apart, together = integers(0, 0, heads, hidden // heads), integers(0, 0, hidden)
    for layer in range(config["num_hidden_layers"]):
        key = f"encoder.layer.{layer}"
        query, keys, values = (
            op("Transpose", op("Reshape", linear(x, f"{key}.attention.self.{part}"), apart), perm=order)
            for part, order in [("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])]
        )
        scores = op("Div", op("MatMul", query, keys), number((hidden // heads) ** 0.5))
        mixed = op("MatMul", op("Softmax", op("Add", scores, absent), axis=-1), values)
        mixed = op("Reshape", op("Transpose", mixed, perm=[0, 2, 1, 3]), together)
        x = op("Add", linear(mixed, f"{key}.attention.output.dense"), x)
        x = norm(x, f"{key}.attention.output.LayerNorm")
        wide = linear(x, f"{key}.intermediate.dense")
        bent = op("Add", op("Erf", op("Div", wide, number(2**0.5))), number(1))
        bent = op("Mul", op("Mul", wide, bent), number(0.5))
        x = norm(op("Add", linear(bent, f"{key}.output.dense"), x), f"{key}.output.LayerNorm")
    shape = ["texts", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("ids", "mask")]
    output = helper.make_tensor_value_info(x, TensorProto.FLOAT, [*shape, hidden])
    made = helper.make_graph(nodes, "encoder", inputs, [output], held)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


class Encoder:
    """Mean pooling over onnxruntime, on one thread."""

    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        model = graph(folder).SerializeToString()
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(WINDOW_TOKENS)

    def embed(self, texts):
        rows = [self.tokenizer.encode(text).ids for text in texts]
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(ids)
        for at, row in enumerate(rows):
            ids[at, : len(row)], mask[at, : len(row)] = row, 1
        hidden = self.session.run(None, {"ids": ids, "mask": mask})[0]
        vectors = (hidden * mask[..., None].astype(np.float32)).sum(1)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Chroma:
    def __init__(self, encoder, folder):
        self.encoder = encoder
        client = chromadb.PersistentClient(folder)
        # Vectors are given with each call.
        self.items = client.create_collection("items", embedding_function=None, metadata={"hnsw:space": "cosine"})
        self.count = 0

    def save(self, user, text):
        self.count += 1
        vectors = self.encoder.embed([text])
        self.items.add(ids=[str(self.count)], documents=[text], embeddings=vectors, metadatas=[{"user": user}])
        return True

    def learn(self, user, exchanges):
        for exchange in exchanges:
            for text in exchange:
                self.save(user, text)

    def recall(self, user, question):
        vectors = self.encoder.embed([question])
        return self.items.query(query_embeddings=vectors, n_results=K, where={"user": user})["documents"][0]


class Mem0:
    """On its default store, on disk, and without a language model (`infer=False`)."""

    def __init__(self, encoder, folder):
        self.encoder = encoder
        config = {"collection_name": "items", "path": folder, "on_disk": True, "embedding_model_dims": DIMENSIONS}
        store = {"provider": "qdrant", "config": config}
        history = os.path.join(folder, "history.db")
        self.memory = mem0.Memory.from_config({"vector_store": store, "history_db_path": history})
        self.memory.embedding_model = self

    def embed(self, text, memory_action=None):
        return self.encoder.embed([text])[0].tolist()

    def save(self, user, text):
        self.memory.add(text, user_id=user, infer=False)
        return True

    def learn(self, user, exchanges):
        for exchange in exchanges:
            said = [{"role": role, "content": text} for role, text in zip(("user", "assistant"), exchange, strict=True)]
            self.memory.add(said, user_id=user, infer=False)

    def recall(self, user, question):
        found = self.memory.search(question, filters={"user_id": user}, top_k=K, threshold=0.0)
        return [item["memory"] for item in found["results"]]


class Keepsake:
    """A server of its own, with a key, asked over one connection."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            address = f"127.0.0.1:{free.getsockname()[1]}"
        site = Path(folder, "site")
        (site / "pkg").mkdir(parents=True)
        environment = os.environ | {
            "KEEPSAKE_DATA_DIR": os.path.join(folder, "data"),
            "KEEPSAKE_EMBEDDER": "bert",
            "KEEPSAKE_EXTRACTOR": "rules",
            "KEEPSAKE_ENV": "test",
            "KEEPSAKE_LISTEN": address,
            "KEEPSAKE_LOG": "error",
            "KEEPSAKE_RATE_LIMIT": "100000",
            "LEPTOS_SITE_ROOT": str(site),
        }
        program = os.environ["KEEPSAKE_PROGRAM"]
        add = [program, "key", "add", "peers", "--scope", "read,write"]
        key = json.loads(subprocess.run(add, env=environment, check=True, stdout=subprocess.PIPE).stdout)["key"]
        self.heads = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        quiet = subprocess.DEVNULL
        self.server = subprocess.Popen([program, "serve"], env=environment, stdout=quiet, stderr=quiet)
        self.line = http.client.HTTPConnection(address)
        for _ in range(START_SECONDS * 10):
            with contextlib.suppress(ConnectionRefusedError):
                self.line.connect()
                return
            time.sleep(0.1)
        self.close()
        sys.exit("the server did not start")

    def close(self):
        self.server.terminate()
        self.server.wait()

    def ask(self, method, path, body=None):
        self.line.request(method, path, body and json.dumps(body), self.heads)
        answer = self.line.getresponse()
        text = answer.read()
        if answer.status >= 300 and answer.status != REFUSED:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text)

    def save(self, user, text):
        new = {"user_id": user, "surface": "web", "kind": "fact", "content": text}
        return self.ask("POST", "/v1/memories", new).get("outcome") == "inserted"

    def learn(self, user, exchanges):
        ids = []
        for message, reply in exchanges:
            new = {"user_id": user, "surface": "web", "user": message, "assistant": reply}
            ids.append(self.ask("POST", "/v1/exchanges", new)["id"])
        for one in ids:
            while self.ask("GET", f"/v1/exchanges/{one}")["status"] == "queued":
                time.sleep(0.001)

    def recall(self, user, question):
        asked = {"user_id": user, "surface": "web", "query": question, "k": K}
        return [item["content"] for item in self.ask("POST", "/v1/recall", asked)["personal"]]


def say(value):
    print(json.dumps(value), flush=True)


def timed(work, *arguments):
    start = time.perf_counter()
    answer = work(*arguments)
    return time.perf_counter() - start, answer


def encoding(encoder, sentences):
    """Seconds of processor time: for one sentence, and for a batch."""
    texts = sorted(sentences, key=len)
    batches = [texts[at : at + BATCH] for at in range(0, len(texts) - BATCH + 1, BATCH)]
    start = time.process_time()
    for text in texts:
        encoder.embed([text])
    between = time.process_time()
    for batch in batches:
        encoder.embed(batch)
    return (between - start) / len(texts), (time.process_time() - between) / len(batches)


def statements(sentences):
    """Ever new texts: the beginning of one sentence and the end of another."""
    halves = [(words[: len(words) // 2], words[len(words) // 2 :]) for words in map(str.split, sentences)]
    pairs = list(itertools.permutations(halves, 2))
    random.Random(7).shuffle(pairs)
    return (" ".join(first + second) for (first, _), (_, second) in pairs)


def save(peers, user, text):
    """Each peer's seconds, or nothing where Keepsake, which comes first, refuses the text or merges it with another."""
    taken = {}
    for name, peer in peers.items():
        taken[name], held = timed(peer.save, user, text)
        if not held:
            return None
    return taken


def compare(peers, sentences, exchanges):
    """Seconds by subject and peer: medians over rounds in which each peer has its turn."""
    rounds = {}

    def note(subject, taken):
        rounds.setdefault(subject, []).append(taken)

    texts, saved = statements(sentences), 0
    for size in SIZES:
        while saved < size:
            some = []
            while len(some) < SAVED_A_ROUND:
                some += filter(None, [save(peers, USER, next(texts))])
            saved += len(some)
            note("saving", {name: statistics.mean(taken[name] for taken in some) for name in peers})
        for at, question in enumerate(sentences[: WARM_UP + QUESTIONS]):
            answers = {name: timed(peer.recall, USER, question) for name, peer in peers.items()}
            if any(len(found) != K for _, found in answers.values()):
                sys.exit("a peer recalled less than it was asked for")
            if at >= WARM_UP:
                note(f"recall {size}", {name: taken for name, (taken, _) in answers.items()})
    for first in range(0, len(exchanges), LEARNED_A_ROUND):
        some = exchanges[first : first + LEARNED_A_ROUND]
        taken = {name: timed(peer.learn, LEARNER, some)[0] for name, peer in peers.items()}
        note("learning", {name: spent / len(some) for name, spent in taken.items()})
    return {
        subject: {name: statistics.median(taken[name] for taken in all_taken) for name in peers}
        for subject, all_taken in rounds.items()
    }


def main():
    # mem0 warns of what it was not given.
    logging.disable(logging.WARNING)
    folder = Path(os.environ["KEEPSAKE_MODEL_DIR"])
    sentences = (DATA / "sentences.txt").read_text().splitlines()
    lines = (ROOT / "sample/exchanges.jsonl").read_text().splitlines()[:EXCHANGES]
    exchanges = [(record["user"], record["assistant"]) for record in map(json.loads, lines)]
    encoder = Encoder(folder)
    published = np.fromfile(DATA / "minilm-vectors.f32", "<f4").reshape(len(sentences), -1)
    if np.abs(encoder.embed(sentences) - published).max() > SAME_VECTOR:
        sys.exit("onnxruntime's vectors are not those of the model")
    say({package: importlib.metadata.version(package) for package in PACKAGES})
    for _ in sys.stdin:
        say(encoding(encoder, sentences))
    ours, chroma, mem = (os.path.join(WORK.name, name) for name in ("keepsake", "chroma", "mem0"))
    os.mkdir(mem)
    with contextlib.closing(Keepsake(ours)) as keepsake:
        peers = {"keepsake": keepsake, "chroma": Chroma(encoder, chroma), "mem0": Mem0(encoder, mem)}
        say(compare(peers, sentences, exchanges))


main()
