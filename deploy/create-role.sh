#!/bin/sh
# Runs once, when the container makes its cluster: gives the portal an ordinary role that owns its database and nothing else.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$PORTAL_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role bawaba login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database bawaba owner bawaba;
SQL
