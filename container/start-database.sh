#!/bin/sh
# Starts PostgreSQL. The first start makes the cluster, with a database whose owner is no superuser:
# docs/confinement.md#the-databases-role says why. DATABASE_PASSWORD becomes its password.
set -eu
data=/var/lib/postgresql/onecut/15
bin=/usr/lib/postgresql/15/bin

if [ ! -d "$data" ]; then
  : "${DATABASE_PASSWORD:?must be set for the first start}"
  # Under another name until it is whole, so that a start that breaks off is made again.
  rm -rf "$data.new"
  "$bin/initdb" -D "$data.new" -U postgres -E UTF8 --locale=C.UTF-8 \
    --auth-local=peer --auth-host=scram-sha-256 >&2
  echo 'host onecut onecut_app all scram-sha-256' >> "$data.new/pg_hba.conf"
  "$bin/pg_ctl" -D "$data.new" -w -o "-c listen_addresses= -k /tmp" start >&2
  psql -h /tmp -U postgres -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" postgres >&2 <<'SQL'
create role onecut_app login password :'password' nosuperuser nocreatedb nocreaterole;
create database onecut owner onecut_app;
SQL
  "$bin/pg_ctl" -D "$data.new" -w -m fast stop >&2
  mv "$data.new" "$data"
fi
unset DATABASE_PASSWORD
exec "$bin/postgres" -D "$data" -c listen_addresses='*' -k /tmp
