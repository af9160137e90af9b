import './table.spec.ts'
