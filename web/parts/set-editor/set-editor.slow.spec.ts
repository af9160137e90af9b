import './set-editor.spec.ts'
