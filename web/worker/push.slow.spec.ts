import './push.spec.ts'
