#!/bin/sh
# Writes secrets.env and database-portal.env beside kustomization.yaml, with a fresh password and a fresh key. Never replaces a file.
set -eu
cd "$(dirname "$0")"
# Letters and digits alone: the password becomes part of a URL.
password() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }
for file in secrets.env database-portal.env; do
  if [ -e "$file" ]; then
    echo "$file is there already; nothing is written." >&2
    exit 1
  fi
done
umask 077
cat > secrets.env <<EOF
# Keep a copy elsewhere: without the key, nobody can read the secrets in the database.
SECRETS_KEY=$(key)
# Of the account admin, which the first start creates.
ADMIN_PASSWORD=$(password)
# Fill these in. \`npm run vapid\` prints a pair for Web Push.
S3_ACCESS_KEY_ID=
S3_SECRET_ACCESS_KEY=
VAPID_PUBLIC_KEY=
VAPID_PRIVATE_KEY=
EOF
cat > database-portal.env <<EOF
username=bawaba_portal
password=$(password)
EOF
echo "Wrote secrets.env and database-portal.env. Fill in the keys of the bucket, then: kubectl apply -k ."
