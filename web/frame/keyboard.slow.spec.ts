import './keyboard.spec.ts'
