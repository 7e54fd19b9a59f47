-- Chinese, Japanese and Korean are written in runs without spaces, which the index takes for one word each. After each text the index also
-- gets the pairs of neighbouring characters of its runs, and the last character of each: 我喝茶 as 我喝 喝茶 茶. A word in a run is found as
-- its pairs in a row. `domain/words.rs` has the same characters. A text is read in parts of 64 characters, because SQLite finds a place in a
-- text by counting from its start.

DROP TRIGGER fact_words_follow_insert;
DROP TRIGGER fact_words_follow_edit;
DROP TRIGGER fact_words_follow_delete;
DROP VIEW fact_texts;
CREATE VIEW fact_texts AS
  SELECT d.doc, f.content || CASE WHEN f.content GLOB '*[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*' THEN char(10) || (
      WITH RECURSIVE
        part (first, here, rest) AS (
          SELECT 0, substr(f.content, 1, 65), substr(f.content, 65)
          UNION ALL SELECT first + 64, substr(rest, 1, 65), substr(rest, 65) FROM part WHERE rest <> ''),
        pair (n, here, at, two) AS (
          SELECT first, here, 1, substr(here, 1, 2) FROM part
          UNION ALL SELECT n + 1, here, at + 1, substr(here, at + 1, 2) FROM pair WHERE at < 64 AND at < length(here) ORDER BY 1)
      SELECT group_concat(CASE WHEN two GLOB '[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟][々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]' THEN two ELSE substr(two, 1, 1) END, ' ') FROM pair
      WHERE two GLOB '[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*'
    ) ELSE '' END AS content
  FROM fact_docs AS d CROSS JOIN facts AS f ON f.id = d.fact_id;

-- The view has the old text before an edit, and the new one after it.
CREATE TRIGGER fact_words_follow_insert AFTER INSERT ON facts BEGIN
  INSERT INTO fact_docs (fact_id) VALUES (new.id);
  INSERT INTO fact_words (rowid, content) SELECT doc, content FROM fact_texts
  WHERE doc = (SELECT doc FROM fact_docs WHERE fact_id = new.id);
END;
CREATE TRIGGER fact_words_lead_edit BEFORE UPDATE OF content ON facts WHEN old.content <> new.content BEGIN
  INSERT INTO fact_words (fact_words, rowid, content) SELECT 'delete', doc, content FROM fact_texts
  WHERE doc = (SELECT doc FROM fact_docs WHERE fact_id = old.id);
END;
CREATE TRIGGER fact_words_follow_edit AFTER UPDATE OF content ON facts WHEN old.content <> new.content BEGIN
  INSERT INTO fact_words (rowid, content) SELECT doc, content FROM fact_texts
  WHERE doc = (SELECT doc FROM fact_docs WHERE fact_id = new.id);
END;
CREATE TRIGGER fact_words_lead_delete BEFORE DELETE ON facts BEGIN
  INSERT INTO fact_words (fact_words, rowid, content) SELECT 'delete', doc, content FROM fact_texts
  WHERE doc = (SELECT doc FROM fact_docs WHERE fact_id = old.id);
  DELETE FROM fact_docs WHERE fact_id = old.id;
END;

DROP TRIGGER block_words_follow_delete;
DROP VIEW block_texts;
CREATE VIEW block_texts AS
  SELECT t.block_no, t.place, t.label || CASE WHEN t.label GLOB '*[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*' THEN char(10) || (
      WITH RECURSIVE
        part (first, here, rest) AS (
          SELECT 0, substr(t.label, 1, 65), substr(t.label, 65)
          UNION ALL SELECT first + 64, substr(rest, 1, 65), substr(rest, 65) FROM part WHERE rest <> ''),
        pair (n, here, at, two) AS (
          SELECT first, here, 1, substr(here, 1, 2) FROM part
          UNION ALL SELECT n + 1, here, at + 1, substr(here, at + 1, 2) FROM pair WHERE at < 64 AND at < length(here) ORDER BY 1)
      SELECT group_concat(CASE WHEN two GLOB '[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟][々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]' THEN two ELSE substr(two, 1, 1) END, ' ') FROM pair
      WHERE two GLOB '[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*'
    ) ELSE '' END AS label,
    t.content || CASE WHEN t.content GLOB '*[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*' THEN char(10) || (
      WITH RECURSIVE
        part (first, here, rest) AS (
          SELECT 0, substr(t.content, 1, 65), substr(t.content, 65)
          UNION ALL SELECT first + 64, substr(rest, 1, 65), substr(rest, 65) FROM part WHERE rest <> ''),
        pair (n, here, at, two) AS (
          SELECT first, here, 1, substr(here, 1, 2) FROM part
          UNION ALL SELECT n + 1, here, at + 1, substr(here, at + 1, 2) FROM pair WHERE at < 64 AND at < length(here) ORDER BY 1)
      SELECT group_concat(CASE WHEN two GLOB '[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟][々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]' THEN two ELSE substr(two, 1, 1) END, ' ') FROM pair
      WHERE two GLOB '[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*'
    ) ELSE '' END AS content
  FROM (
    SELECT b.block_no, 'u' || b.user_no || ' s' || b.store_no AS place, b.path || char(10) || b.description AS label, b.content
    FROM blocks AS b
    WHERE b.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM block_words_former AS f WHERE f.block_no = b.block_no)
    UNION ALL
    SELECT b.block_no, 'u' || b.user_no || ' s' || b.store_no, f.label, f.content
    FROM block_words_former AS f CROSS JOIN blocks AS b ON b.block_no = f.block_no WHERE f.content IS NOT NULL
  ) AS t;
CREATE TRIGGER block_words_follow_delete BEFORE DELETE ON blocks BEGIN
  INSERT INTO block_words (block_words, rowid, place, label, content)
  SELECT 'delete', block_no, place, label, content FROM block_texts WHERE block_no = old.block_no;
  DELETE FROM block_words_former WHERE block_no = old.block_no;
END;

-- Only a database that holds such a text is indexed again.
INSERT INTO fact_words (fact_words) SELECT 'rebuild' WHERE EXISTS (SELECT 1 FROM facts WHERE content GLOB '*[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*');
INSERT INTO block_words (block_words) SELECT 'rebuild' WHERE EXISTS
  (SELECT 1 FROM block_texts WHERE label GLOB '*[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*' OR content GLOB '*[々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*');

-- Words that are NULL are computed from the text when they are read: of runs without spaces, and of what is not written in composed
-- characters.
UPDATE memories SET words = NULL WHERE content GLOB '*[̀-ͯ฀-໿က-ᇿក-៿゙゚々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*';
UPDATE facts SET words = NULL WHERE content GLOB '*[̀-ͯ฀-໿က-ᇿក-៿゙゚々〇ぁ-ゖゝ-ゟァ-ヺー-ヿㄅ-ㄯㄱ-ㆎㆠ-ㆿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𯨟]*';
