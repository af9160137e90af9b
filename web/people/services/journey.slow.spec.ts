import './journey.spec.ts'
