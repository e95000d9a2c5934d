-- The tables of a book. Everything lives in the book's own schema; only roles are outside of it.
-- Identifiers in braces are filled in by the migration runner.

CREATE TABLE {book}.lineage (
    epoch int PRIMARY KEY CHECK (epoch >= 1),
    system_identifier text NOT NULL,
    opened_at timestamptz NOT NULL,
    reason text NOT NULL
);
COMMENT ON TABLE {book}.lineage IS
    'Which database cluster wrote the book when: transaction ids of two clusters cannot be compared.';

CREATE TABLE {book}.events (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL CHECK (originator_version >= 0),
    topic text NOT NULL,
    state bytea NOT NULL CHECK (octet_length(state) <= 65000),
    epoch int NOT NULL DEFAULT 1,  -- no writer can name another, and `adopt` moves the default; a
                                   -- foreign key would lock the lineage's row for every event
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    ord int NOT NULL,
    PRIMARY KEY (originator_id, originator_version),
    UNIQUE (epoch, xid, ord)
);
COMMENT ON TABLE {book}.events IS 'Every event of the book; rows are only ever added.';

CREATE TABLE {book}.sealed (
    position bigint PRIMARY KEY CHECK (position >= 0),
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
    epoch int NOT NULL,
    xid xid8 NOT NULL,
    ord int NOT NULL,
    UNIQUE (originator_id, originator_version)
);
COMMENT ON TABLE {book}.sealed IS 'The order of the book: consecutive positions and leaf hashes.';

CREATE TABLE {book}.checkpoints (
    size bigint PRIMARY KEY CHECK (size >= 1),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    frontier bytea NOT NULL,
    epoch int NOT NULL,
    xid xid8 NOT NULL,
    ord int NOT NULL,
    last_recorded timestamptz NOT NULL,
    note text NOT NULL
);
COMMENT ON TABLE {book}.checkpoints IS 'Signed statements of size and root hash of the sealed log.';

CREATE TABLE {book}.day_closings (
    day date PRIMARY KEY,
    closed_until timestamptz NOT NULL UNIQUE,
    size bigint NOT NULL REFERENCES {book}.checkpoints
);
COMMENT ON TABLE {book}.day_closings IS
    'Business days that are reported, and from which checkpoint; nothing is recorded in them again.';

CREATE TABLE {book}.snapshots (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    shape text NOT NULL,
    state bytea NOT NULL,
    checksum bytea NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
);
COMMENT ON TABLE {book}.snapshots IS
    'Folded states that spare a long read; a wrong or old one is ignored, for events are the truth.';

-- A save is one INSERT and the first write of its transaction, and this cluster is the book's.
CREATE FUNCTION {book}.check_save() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE EXCEPTION 'a save is one INSERT and the first write of its transaction'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF (SELECT l.system_identifier FROM {book}.lineage l ORDER BY l.epoch DESC LIMIT 1)
       IS DISTINCT FROM (SELECT c.system_identifier::text FROM pg_control_system() c) THEN
        RAISE EXCEPTION 'the book was written in another cluster; run: contoposta adopt'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN NULL;
END $body$;

CREATE FUNCTION {book}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    RAISE EXCEPTION 'rows of %.% are only ever added; post a correction instead',
        TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $body$;

-- What must hold while a save is made. Called inside the INSERT: being volatile, each statement in
-- here sees what was committed before it, so that a guard taken after a writer's lock sees its work.
-- A stream with the version that was seen is guarded (shared lock); one without is written by this
-- save (exclusive lock). The caller gives them in one order, against deadlocks.
CREATE FUNCTION {book}.admit(at timestamptz, streams uuid[], versions int8[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $body$
DECLARE
    place int;
BEGIN
    -- Shared with other saves, so that whoever closes a day waits for those that are under way.
    PERFORM pg_advisory_xact_lock_shared(hashtext({book_name}), hashtext('day-closing'));
    IF EXISTS (SELECT FROM {book}.day_closings d WHERE d.closed_until > at) THEN
        RAISE EXCEPTION 'the time % lies in a day that is closed; check the clock', at
            USING ERRCODE = 'datetime_field_overflow';
    END IF;
    FOR place IN 1 .. cardinality(streams) LOOP
        IF versions[place] IS NULL THEN
            PERFORM pg_advisory_xact_lock(hashtext({book_name}), hashtext(streams[place]::text));
            CONTINUE;
        END IF;
        PERFORM pg_advisory_xact_lock_shared(hashtext({book_name}), hashtext(streams[place]::text));
        IF EXISTS (SELECT FROM {book}.events e
                    WHERE e.originator_id = streams[place]
                      AND e.originator_version > versions[place]) THEN
            RAISE EXCEPTION 'a stream that was read has moved' USING ERRCODE = 'serialization_failure';
        END IF;
    END LOOP;
END $body$;

CREATE TRIGGER check_save BEFORE INSERT ON {book}.events
    FOR EACH STATEMENT EXECUTE FUNCTION {book}.check_save();
ALTER TABLE {book}.events ENABLE ALWAYS TRIGGER check_save;

DO $body$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['lineage', 'events', 'sealed', 'checkpoints', 'day_closings'] LOOP
        EXECUTE format(
            'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %I.%I '
            'FOR EACH STATEMENT EXECUTE FUNCTION %I.refuse_change()',
            {book_name}, guarded, {book_name});
        EXECUTE format('ALTER TABLE %I.%I ENABLE ALWAYS TRIGGER refuse_change', {book_name}, guarded);
    END LOOP;
END $body$;

GRANT USAGE ON SCHEMA {book} TO {writer}, {sealer}, {worker}, {reader};
GRANT SELECT ON ALL TABLES IN SCHEMA {book} TO {writer}, {sealer}, {worker}, {reader};
GRANT INSERT (originator_id, originator_version, topic, state, ord) ON {book}.events TO {writer};
GRANT INSERT ON {book}.sealed, {book}.checkpoints TO {sealer};
GRANT INSERT ON {book}.day_closings TO {worker};
GRANT DELETE ON {book}.snapshots TO {worker};
GRANT INSERT ON {book}.snapshots TO {writer};
