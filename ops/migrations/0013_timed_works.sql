-- What timed duties look for: sessions whose time of play is over.

ALTER TABLE {book}.p_sessions_rows
    ADD COLUMN limit_seconds bigint,
    ADD COLUMN plays_until timestamptz;
DROP INDEX {book}.p_sessions_due;
CREATE INDEX p_sessions_due ON {book}.p_sessions_rows (generation, least(due_at, plays_until))
    WHERE state = 'open';
DO $body$
BEGIN
    EXECUTE format(
        'CREATE OR REPLACE VIEW %1$I.p_sessions AS SELECT * FROM %1$I.p_sessions_rows '
        'WHERE generation = (SELECT p.generation FROM %1$I.p_projections p '
        'WHERE p.name = ''sessions'' AND p.live)', {book_name});
END $body$;
