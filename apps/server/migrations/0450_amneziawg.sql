-- An AmneziaWG interface keeps its version and parameters as JSON in "parameters", but for the key that encrypts its headers.
alter table interfaces add column sealed_header_key text;

-- Devices that get new parameters may use their old interface until then; null: as long as any device that is moved.
alter table emptyings add column stay_until bigint;
