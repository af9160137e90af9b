import './dialog.spec.ts'
