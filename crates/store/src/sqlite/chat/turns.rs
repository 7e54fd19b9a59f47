//! Conversations in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::values::{corrupt, ids_in, ids_of};
use crate::sqlite::{SqliteStore, SqliteTx, ensure_user, user_no};
use domain::chat::talk::{ArchivedTalk, Question, QuestionTopic, Role, Talk, ToForget, Turn};
use domain::erasure::people::UserId;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::chat::turns::{PlacedTurn, TurnReads, TurnWrites};

/// The current turns of one conversation.
macro_rules! current {
    () => {
        "user_no = ?1 AND surface = ?2 AND thread = ?3 AND archived_at IS NULL"
    };
}

const LAST: &str = concat!("SELECT role, content, said_at FROM turns WHERE ", current!(), " ORDER BY no DESC LIMIT ?4");
/// All turns that the last resets before a moment archived.
const ARCHIVED: &str = "SELECT role, content, said_at, archived_at FROM turns \
                        WHERE user_no = ?1 AND surface = ?2 AND thread = ?3 AND archived_at IN \
                          (SELECT DISTINCT archived_at FROM turns WHERE user_no = ?1 AND surface = ?2 AND thread = ?3 \
                           AND archived_at < ?4 ORDER BY archived_at DESC LIMIT ?5) \
                        ORDER BY archived_at DESC, no";
const LAST_OF_ALL: &str = "SELECT surface, role, content, said_at, archived_at FROM turns \
                           WHERE user_no = (SELECT user_no FROM users WHERE user_id = ?1) ORDER BY no DESC LIMIT ?2";
const APPEND: &str = "INSERT INTO turns (user_no, surface, thread, role, content, said_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const TRIM: &str = concat!(
    "DELETE FROM turns WHERE ",
    current!(),
    " AND no NOT IN (SELECT no FROM turns WHERE ",
    current!(),
    " ORDER BY no DESC LIMIT ?4)"
);
const ARCHIVE: &str = concat!("UPDATE turns SET archived_at = ?4 WHERE ", current!());
const PURGE: &str = "DELETE FROM turns WHERE archived_at < ?1";
const ASK: &str = "INSERT INTO questions (user_no, surface, thread, about, memory_ids, asked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                   ON CONFLICT (user_no, surface, thread) DO UPDATE \
                   SET about = excluded.about, memory_ids = excluded.memory_ids, asked_at = excluded.asked_at";
const QUESTION: &str = "SELECT about, memory_ids, asked_at FROM questions WHERE user_no = ?1 AND surface = ?2 AND thread = ?3";
const TAKE_QUESTION: &str = "DELETE FROM questions WHERE user_no = ?1 AND surface = ?2 AND thread = ?3";
const PURGE_QUESTIONS: &str = "DELETE FROM questions WHERE asked_at < ?1";

/// Subjects of a question.
const FORGET_ALL: &str = "forget_all";
const FORGET_SOME: &str = "forget_some";
const RESET_NOTES: &str = "reset_notes";

macro_rules! of_talk {
    ($sql:expr, $no:expr, $talk:expr) => {
        sqlx::query($sql).bind($no).bind($talk.surface().as_str()).bind($talk.thread())
    };
}

#[async_trait]
impl TurnReads for SqliteStore {
    async fn turns(&self, user: &UserId, talk: &Talk, limit: u32) -> Result<Vec<Turn>, StoreError> {
        let mut conn = self.readers.acquire().await?;
        let no = user_no(&mut conn, user.as_str()).await?;
        let rows = of_talk!(LAST, no, talk).bind(limit).fetch_all(&mut *conn).await?;
        rows.iter().rev().map(turn).collect()
    }

    async fn archived_turns(
        &self,
        user: &UserId,
        talk: &Talk,
        before: Option<Moment>,
        limit: u32,
    ) -> Result<Vec<ArchivedTalk>, StoreError> {
        let mut conn = self.readers.acquire().await?;
        let no = user_no(&mut conn, user.as_str()).await?;
        let before = before.map_or(i64::MAX, |before| before.0);
        let rows = of_talk!(ARCHIVED, no, talk).bind(before).bind(limit).fetch_all(&mut *conn).await?;
        let mut talks: Vec<ArchivedTalk> = Vec::new();
        for row in &rows {
            let (at, turn) = (Moment(row.try_get("archived_at")?), turn(row)?);
            match talks.last_mut().filter(|last| last.at == at) {
                Some(last) => last.turns.push(turn),
                None => talks.push(ArchivedTalk { at, turns: vec![turn] }),
            }
        }
        Ok(talks)
    }

    async fn turns_of(&self, user: &UserId, limit: u32) -> Result<Vec<PlacedTurn>, StoreError> {
        let rows = sqlx::query(LAST_OF_ALL).bind(user.as_str()).bind(limit).fetch_all(&self.readers).await?;
        let placed = |row: &SqliteRow| -> Result<PlacedTurn, StoreError> {
            let archived_at = row.try_get::<Option<i64>, _>("archived_at")?.map(Moment);
            Ok(PlacedTurn { surface: row.try_get("surface")?, turn: turn(row)?, archived_at })
        };
        rows.iter().map(placed).collect()
    }
}

#[async_trait]
impl TurnWrites for SqliteTx<'_> {
    async fn append_turns(&mut self, user: &UserId, talk: &Talk, turns: &[Turn]) -> Result<(), StoreError> {
        let Some(first) = turns.first() else { return Ok(()) };
        let no = ensure_user(&mut self.tx, user.as_str(), first.at).await?;
        for turn in turns {
            let query = of_talk!(APPEND, no, talk).bind(turn.role.as_str()).bind(&turn.content).bind(turn.at.0);
            query.execute(&mut *self.tx).await?;
        }
        Ok(())
    }

    async fn trim_turns(&mut self, user: &UserId, talk: &Talk, keep: u32) -> Result<u64, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(of_talk!(TRIM, no, talk).bind(keep).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn archive_turns(&mut self, user: &UserId, talk: &Talk, at: Moment) -> Result<u64, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(of_talk!(ARCHIVE, no, talk).bind(at.0).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn purge_turns(&mut self, before: Moment) -> Result<u64, StoreError> {
        Ok(sqlx::query(PURGE).bind(before.0).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn ask(&mut self, user: &UserId, talk: &Talk, question: &Question) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), question.asked_at).await?;
        let (about, memories) = match &question.about {
            QuestionTopic::Forget(ToForget::Everything) => (FORGET_ALL, None),
            QuestionTopic::Forget(ToForget::Memories(ids)) => (FORGET_SOME, ids_of(ids)),
            QuestionTopic::Notes => (RESET_NOTES, None),
        };
        of_talk!(ASK, no, talk).bind(about).bind(memories).bind(question.asked_at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn question(&mut self, user: &UserId, talk: &Talk) -> Result<Option<Question>, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let row = of_talk!(QUESTION, no, talk).fetch_optional(&mut *self.tx).await?;
        row.as_ref().map(question).transpose()
    }

    async fn take_question(&mut self, user: &UserId, talk: &Talk) -> Result<bool, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(of_talk!(TAKE_QUESTION, no, talk).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn purge_questions(&mut self, before: Moment) -> Result<(), StoreError> {
        sqlx::query(PURGE_QUESTIONS).bind(before.0).execute(&mut *self.tx).await?;
        Ok(())
    }
}

fn question(row: &SqliteRow) -> Result<Question, StoreError> {
    let about = match row.try_get("about")? {
        FORGET_ALL => QuestionTopic::Forget(ToForget::Everything),
        FORGET_SOME => QuestionTopic::Forget(ToForget::Memories(ids_in(row.try_get("memory_ids")?))),
        RESET_NOTES => QuestionTopic::Notes,
        _ => return Err(corrupt("what a question is about")),
    };
    Ok(Question { about, asked_at: Moment(row.try_get("asked_at")?) })
}

fn turn(row: &SqliteRow) -> Result<Turn, StoreError> {
    Ok(Turn {
        role: Role::parse(row.try_get("role")?).map_err(corrupt)?,
        content: row.try_get("content")?,
        at: Moment(row.try_get("said_at")?),
    })
}
