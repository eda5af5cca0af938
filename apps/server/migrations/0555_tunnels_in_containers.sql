-- Whether a server's tunnels are in a container of Docker's: as an admin chose or set-up settled (docker, system; null: not yet), and as
-- its machine was set up last (null: without Docker; moving: between the two).
alter table servers add column tunnels_in text;
alter table servers add column tunnels_now_in text;
