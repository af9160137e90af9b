import './calendar.spec.ts'
