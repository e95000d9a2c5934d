-- What reconciliation found: differences; and a way to the payments of one provider.

CREATE INDEX p_payments_channel ON {book}.p_payments_rows (generation, channel, recorded);

CREATE TABLE {book}.p_differences_rows (
    generation int NOT NULL,
    difference uuid NOT NULL,
    occurrence int NOT NULL,
    source text NOT NULL,
    scope text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    found text NOT NULL,
    since timestamptz NOT NULL,
    found_at timestamptz NOT NULL,
    way text,
    reference text,
    currency text,
    here bigint,
    there bigint,
    matched text,
    owner text,
    closed_at timestamptz,
    resolution text,
    PRIMARY KEY (generation, difference, occurrence)
);
CREATE INDEX p_differences_open ON {book}.p_differences_rows (generation, source, scope)
    WHERE closed_at IS NULL;
CREATE INDEX p_differences_settled ON {book}.p_differences_rows (generation, scope, since)
    WHERE closed_at IS NOT NULL AND resolution IS NULL;
COMMENT ON TABLE {book}.p_differences_rows IS
    'What reconciliation found not to agree: whose it is, and how it ended.';

CREATE VIEW {book}.p_differences AS SELECT * FROM {book}.p_differences_rows WHERE generation =
    (SELECT p.generation FROM {book}.p_projections p WHERE p.name = 'differences' AND p.live);
GRANT SELECT, INSERT, UPDATE, DELETE ON {book}.p_differences_rows TO {worker};
GRANT SELECT ON {book}.p_differences, {book}.p_differences_rows TO {worker}, {writer}, {reader};
