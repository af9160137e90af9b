import './presence.spec.ts'
