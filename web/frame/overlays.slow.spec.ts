import './overlays.spec.ts'
