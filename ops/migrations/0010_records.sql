-- What the records of foreign authorities are written from: each player's money by business day,
-- payments one by one, and broken connections; and the register of what was released.

CREATE TABLE {book}.p_player_movements_rows (
    generation int NOT NULL,
    day date NOT NULL,
    player text NOT NULL,
    game text NOT NULL,
    concept text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (generation, day, player, game, concept, currency)
);
COMMENT ON TABLE {book}.p_player_movements_rows IS
    'What moved the money of each player on each business day, by game and concept.';

CREATE TABLE {book}.p_payments_rows (
    generation int NOT NULL,
    position bigint NOT NULL,
    recorded timestamptz NOT NULL,
    player text NOT NULL,
    way text NOT NULL CHECK (way IN ('deposit', 'withdrawal')),
    channel text NOT NULL,
    reference text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    PRIMARY KEY (generation, position)
);
CREATE INDEX p_payments_recorded ON {book}.p_payments_rows (generation, recorded);

CREATE TABLE {book}.p_connections_rows (
    generation int NOT NULL,
    session uuid NOT NULL,
    position bigint NOT NULL,
    at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('lost', 'back')),
    PRIMARY KEY (generation, session, position)
);
COMMENT ON TABLE {book}.p_connections_rows IS
    'When the player of a session was disconnected, and when the player came back.';

CREATE INDEX IF NOT EXISTS p_sessions_closed ON {book}.p_sessions_rows (generation, closed_at);

CREATE TABLE {book}.p_releases (
    authority text NOT NULL,
    sequence int NOT NULL CHECK (sequence >= 1),
    period text NOT NULL,
    edition int NOT NULL CHECK (edition >= 1),
    reason text CHECK ((reason IS NULL) = (edition = 1)),
    size bigint NOT NULL REFERENCES {book}.checkpoints,
    files jsonb NOT NULL,
    told jsonb NOT NULL,
    produced_at timestamptz NOT NULL,
    PRIMARY KEY (authority, sequence),
    UNIQUE (authority, period, edition)
);
COMMENT ON TABLE {book}.p_releases IS
    'What was released for which authority: its files with their hashes, and the figures that the '
    'next release must go on from.';

DO $body$
DECLARE
    folded text;
BEGIN
    FOREACH folded IN ARRAY ARRAY['player_movements', 'payments', 'connections'] LOOP
        EXECUTE format(
            'CREATE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = %4$L AND p.live)',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', 'players');
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.%I TO %I',
            {book_name}, 'p_' || folded || '_rows', {book_name} || '_worker');
        EXECUTE format(
            'GRANT SELECT ON %1$I.%2$I, %1$I.%3$I TO %4$I, %5$I, %6$I',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows',
            {book_name} || '_worker', {book_name} || '_writer', {book_name} || '_reader');
    END LOOP;
    EXECUTE format(
        'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %1$I.p_releases '
        'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.refuse_change()', {book_name});
    EXECUTE format('ALTER TABLE %I.p_releases ENABLE ALWAYS TRIGGER refuse_change', {book_name});
END $body$;
GRANT SELECT, INSERT ON {book}.p_releases TO {worker};
GRANT SELECT ON {book}.p_releases TO {writer}, {reader};
