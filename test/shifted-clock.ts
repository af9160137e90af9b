/** Preloaded by `NODE_OPTIONS`: puts the clock of a program `CLOCK_SHIFT_MS` ahead of the machine's; timers are unaffected. */
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'])
const real = Date
const now = () => real.now() + shiftMs

globalThis.Date = new Proxy(real, {
  construct: (target, given, made) => Reflect.construct(target, given.length ? given : [now()], made),
  apply: () => new real(now()).toString(),
  get: (target, key, self) => (key === 'now' ? now : Reflect.get(target, key, self)),
})
