-- Significant events with the values before and after them.
-- Reports of any period in editions, and what became of each: sent, receipted, replaced by the next.

ALTER TABLE {book}.p_reports
    ADD COLUMN report text,
    ADD COLUMN edition int NOT NULL DEFAULT 1 CHECK (edition >= 1);
UPDATE {book}.p_reports SET report = kind || '-' || day::text;
ALTER TABLE {book}.p_reports ALTER COLUMN report SET NOT NULL;
CREATE INDEX p_reports_report ON {book}.p_reports (report, edition);
COMMENT ON COLUMN {book}.p_reports.day IS 'The last day of the period; its closing is what is told.';

CREATE TABLE {book}.p_report_steps (
    report text NOT NULL,
    edition int NOT NULL,
    step text NOT NULL CHECK (step IN ('sent', 'receipted', 'replaced')),
    noted_at timestamptz NOT NULL,
    actor text NOT NULL,
    words text NOT NULL,
    PRIMARY KEY (report, edition, step)
);
COMMENT ON TABLE {book}.p_report_steps IS
    'What became of each edition of a report, who noted it, and the receipt''s or the reason''s words.';

DO $body$
DECLARE
    kept text;
BEGIN
    FOREACH kept IN ARRAY ARRAY['p_reports', 'p_report_steps'] LOOP
        EXECUTE format(
            'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %I.%I '
            'FOR EACH STATEMENT EXECUTE FUNCTION %I.refuse_change()',
            {book_name}, kept, {book_name});
        EXECUTE format('ALTER TABLE %I.%I ENABLE ALWAYS TRIGGER refuse_change', {book_name}, kept);
    END LOOP;
END $body$;

CREATE TABLE {book}.p_significant_rows (
    generation int NOT NULL,
    stream text NOT NULL,
    position bigint NOT NULL,
    attribute text NOT NULL,
    recorded timestamptz NOT NULL,
    event text NOT NULL,
    before text,
    after text,
    actor text NOT NULL,
    named text,
    reason text,
    PRIMARY KEY (generation, stream, position, attribute)
);
CREATE INDEX p_significant_recorded ON {book}.p_significant_rows (generation, recorded);

CREATE VIEW {book}.p_significant AS SELECT * FROM {book}.p_significant_rows WHERE generation =
    (SELECT p.generation FROM {book}.p_projections p WHERE p.name = 'significant' AND p.live);
GRANT SELECT, INSERT, UPDATE, DELETE ON {book}.p_significant_rows TO {worker};
GRANT SELECT ON {book}.p_significant, {book}.p_significant_rows TO {worker}, {writer}, {reader};

CREATE INDEX p_sessions_closed ON {book}.p_sessions_rows (generation, closed_at);
CREATE INDEX p_sessions_requested ON {book}.p_sessions_rows (generation, requested_at)
    WHERE state <> 'closed';

GRANT SELECT, INSERT ON {book}.p_report_steps TO {worker};
GRANT SELECT ON {book}.p_report_steps TO {writer}, {reader};
