#!/bin/sh
# Writes .env for compose.yaml, with fresh passwords and a fresh key of secrets. Needs nothing but a shell, and never replaces a file.
set -eu
cd "$(dirname "$0")/.."
# Letters and digits alone: the passwords become parts of URLs.
password() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }
text="# The passwords of the database's superuser, of the role that owns the database, and of the portal's role.
POSTGRES_PASSWORD=$(password)
OWNER_PASSWORD=$(password)
PORTAL_PASSWORD=$(password)
# Of the account admin, which the first start creates.
ADMIN_PASSWORD=$(password)
# Keep a copy elsewhere: without it, nobody can read the secrets in the database.
SECRETS_KEY=$(key)"
umask 077
set -C
if ! printf '%s\n' "$text" 2>/dev/null > .env; then
  echo ".env is there already, or cannot be written; it stays as it is." >&2
  exit 1
fi
echo "Wrote .env. Now: docker compose up. Sign in as admin with ADMIN_PASSWORD from that file."
