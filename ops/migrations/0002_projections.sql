-- What workers fold out of the sealed log, and the register of the reports that they produced.
-- Every row belongs to a generation: a rebuild fills a new one beside the live one, and making it
-- live is one UPDATE, so that readers, who use the views, never wait and never see a half.

CREATE TABLE {book}.p_projections (
    name text NOT NULL,
    generation int NOT NULL CHECK (generation >= 1),
    version int NOT NULL,
    position bigint NOT NULL CHECK (position >= 0),
    live boolean NOT NULL,
    PRIMARY KEY (name, generation)
);
CREATE UNIQUE INDEX p_projections_live ON {book}.p_projections (name) WHERE live;
COMMENT ON TABLE {book}.p_projections IS
    'How many sealed events each generation of a projection has folded; one of them is live.';

CREATE TABLE {book}.p_journal_rows (
    generation int NOT NULL,
    position bigint NOT NULL,
    line int NOT NULL,
    recorded timestamptz NOT NULL,
    stream text NOT NULL,
    command uuid NOT NULL,
    event text NOT NULL,
    round uuid,
    source text NOT NULL,
    target text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    source_before bigint NOT NULL,
    source_after bigint NOT NULL,
    target_before bigint NOT NULL,
    target_after bigint NOT NULL,
    PRIMARY KEY (generation, position, line),
    CHECK (source_before - amount = source_after AND target_before + amount = target_after)
);
CREATE INDEX p_journal_source ON {book}.p_journal_rows (generation, source, position);
CREATE INDEX p_journal_target ON {book}.p_journal_rows (generation, target, position);
CREATE INDEX p_journal_recorded ON {book}.p_journal_rows USING brin (recorded)
    WITH (pages_per_range = 16, autosummarize = on);

CREATE TABLE {book}.p_balances_rows (
    generation int NOT NULL,
    account text NOT NULL,
    currency text NOT NULL,
    balance bigint NOT NULL,
    PRIMARY KEY (generation, account, currency)
);

CREATE TABLE {book}.p_movements_rows (
    generation int NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    debited bigint NOT NULL,
    credited bigint NOT NULL,
    PRIMARY KEY (generation, day, kind, currency)
);

CREATE TABLE {book}.p_sessions_rows (
    generation int NOT NULL,
    session uuid NOT NULL,
    player text NOT NULL,
    sheet text NOT NULL,
    channel text NOT NULL,
    currency text NOT NULL,
    reconnect_seconds int NOT NULL,
    requested_at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'open', 'closed')),
    right_id uuid,
    right_amount bigint,
    right_since timestamptz,
    funded_initial bigint NOT NULL,
    funded_further bigint NOT NULL,
    funded_bonus bigint NOT NULL,
    posta_in bigint NOT NULL,
    posta_out bigint NOT NULL,
    rounds bigint NOT NULL,
    bet bigint NOT NULL,
    won bigint NOT NULL,
    refunded bigint NOT NULL,
    void_rounds bigint NOT NULL,
    disconnected_at timestamptz,
    due_at timestamptz,
    opened_at timestamptz,
    closed_at timestamptz,
    reason text,
    PRIMARY KEY (generation, session)
);
CREATE INDEX p_sessions_due ON {book}.p_sessions_rows (generation, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX p_sessions_right ON {book}.p_sessions_rows (generation, right_since)
    WHERE right_id IS NOT NULL;
CREATE INDEX p_sessions_open ON {book}.p_sessions_rows (generation, session) WHERE state <> 'closed';
CREATE INDEX p_sessions_player ON {book}.p_sessions_rows (generation, player);

CREATE TABLE {book}.p_rounds_rows (
    generation int NOT NULL,
    round uuid NOT NULL,
    session uuid NOT NULL,
    game text NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    currency text NOT NULL,
    opened_at timestamptz NOT NULL,
    bets int NOT NULL,
    staked bigint NOT NULL,
    winnings bigint NOT NULL,
    stake_returned bigint NOT NULL,
    refunded bigint NOT NULL,
    ended_at timestamptz,
    settled boolean NOT NULL,
    void_reason text,
    shown text,
    PRIMARY KEY (generation, round)
);
CREATE INDEX p_rounds_session ON {book}.p_rounds_rows (generation, session, opened_at);
CREATE INDEX p_rounds_ended ON {book}.p_rounds_rows (generation, ended_at);

CREATE TABLE {book}.p_turnover_rows (
    generation int NOT NULL,
    day date NOT NULL,
    game text NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    level text NOT NULL,
    channel text NOT NULL,
    currency text NOT NULL,
    rounds bigint NOT NULL,
    bets bigint NOT NULL,
    turnover bigint NOT NULL,
    winnings bigint NOT NULL,
    stake_returned bigint NOT NULL,
    refunded bigint NOT NULL,
    void_rounds bigint NOT NULL,
    void_bets bigint NOT NULL,
    void_refunded bigint NOT NULL,
    PRIMARY KEY (generation, day, game, sheet, sheet_version, level, channel, currency)
);

CREATE TABLE {book}.p_bonuses_rows (
    generation int NOT NULL,
    day date NOT NULL,
    sheet text NOT NULL,
    channel text NOT NULL,
    currency text NOT NULL,
    bonuses bigint NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (generation, day, sheet, channel, currency)
);

CREATE TABLE {book}.p_reports (
    file text NOT NULL,
    report_version int NOT NULL,
    kind text NOT NULL,
    day date NOT NULL,
    size bigint NOT NULL REFERENCES {book}.checkpoints,
    sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
    produced_at timestamptz NOT NULL,
    PRIMARY KEY (file, report_version)
);
COMMENT ON TABLE {book}.p_reports IS
    'When each file was first produced and the hash of its bytes; the files do not say when.';

DO $body$
DECLARE
    folded text;
    owner_of text;
BEGIN
    FOREACH folded IN ARRAY ARRAY[
        'journal:journal', 'balances:journal', 'movements:journal', 'sessions:sessions',
        'rounds:rounds', 'turnover:turnover', 'bonuses:turnover'] LOOP
        owner_of := split_part(folded, ':', 2);
        folded := split_part(folded, ':', 1);
        EXECUTE format(
            'CREATE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = %4$L AND p.live)',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', owner_of);
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.%I TO %I',
            {book_name}, 'p_' || folded || '_rows', {book_name} || '_worker');
        EXECUTE format(
            'GRANT SELECT ON %1$I.%2$I, %1$I.%3$I TO %4$I, %5$I, %6$I',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', {book_name} || '_worker',
            {book_name} || '_writer', {book_name} || '_reader');
    END LOOP;
END $body$;

GRANT SELECT, INSERT, UPDATE, DELETE ON {book}.p_projections TO {worker};
GRANT SELECT, INSERT ON {book}.p_reports TO {worker};
GRANT SELECT ON {book}.p_projections, {book}.p_reports TO {writer}, {reader};
