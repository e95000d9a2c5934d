-- What reconciliation compares and what it found: payments by their references, and differences.

CREATE TABLE {book}.p_payments_rows (
    generation int NOT NULL,
    position bigint NOT NULL,
    way text NOT NULL CHECK (way IN ('deposit', 'withdraw')),
    channel text NOT NULL,
    reference text NOT NULL,
    player text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    recorded timestamptz NOT NULL,
    PRIMARY KEY (generation, position)
);
CREATE INDEX p_payments_channel ON {book}.p_payments_rows (generation, channel, recorded);
COMMENT ON TABLE {book}.p_payments_rows IS 'Every payment that was booked, in or out.';

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

DO $body$
DECLARE
    folded text;
BEGIN
    FOREACH folded IN ARRAY ARRAY['payments', 'differences'] LOOP
        EXECUTE format(
            'CREATE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = %4$L AND p.live)',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', folded);
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.%I TO %I',
            {book_name}, 'p_' || folded || '_rows', {book_name} || '_worker');
        EXECUTE format(
            'GRANT SELECT ON %1$I.%2$I, %1$I.%3$I TO %4$I, %5$I, %6$I',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', {book_name} || '_worker',
            {book_name} || '_writer', {book_name} || '_reader');
    END LOOP;
END $body$;
