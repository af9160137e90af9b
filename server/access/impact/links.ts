/** Pairs of ids of two kinds of records, found from either side. */
import type { RecordKind } from './shapes.ts'

const NONE: ReadonlySet<number> = new Set()
type Side = Map<number, ReadonlySet<number>>

export class Links {
  readonly #sides: Partial<Record<RecordKind, Side>>
  readonly #kinds: readonly [RecordKind, RecordKind]
  /** The sets that no other copy shares and that may therefore be changed. */
  readonly #own = new WeakSet<ReadonlySet<number>>()

  private constructor(kinds: readonly [RecordKind, RecordKind], sides: Partial<Record<RecordKind, Side>>) {
    this.#kinds = kinds
    this.#sides = sides
  }

  static between(one: RecordKind, other: RecordKind, pairs: readonly (readonly [number, number])[]) {
    const group = (key: 0 | 1) => {
      const side = new Map<number, Set<number>>()
      for (const pair of pairs) {
        const ids = side.get(pair[key])
        if (ids) ids.add(pair[1 - key]!)
        else side.set(pair[key], new Set([pair[1 - key]!]))
      }
      return side
    }
    return new Links([one, other], { [one]: group(0), [other]: group(1) })
  }

  /** The ids linked with one record. */
  of(kind: RecordKind, id: number): ReadonlySet<number> {
    return this.#sides[kind]!.get(id) ?? NONE
  }

  copy() {
    const [one, other] = this.#kinds
    return new Links(this.#kinds, { [one]: new Map(this.#sides[one]), [other]: new Map(this.#sides[other]) })
  }

  #ownSet(kind: RecordKind, id: number) {
    const set = this.of(kind, id)
    if (this.#own.has(set)) return set as Set<number>
    const own = new Set(set)
    this.#own.add(own)
    this.#sides[kind]!.set(id, own)
    return own
  }

  /** Links one record with exactly these ids. */
  put(kind: RecordKind, id: number, ids: ReadonlySet<number>) {
    const facing = this.#kinds[0] === kind ? this.#kinds[1] : this.#kinds[0]
    const before = this.of(kind, id)
    const [lost, gained] = [before.difference(ids), ids.difference(before)]
    const own = this.#ownSet(kind, id)
    for (const gone of lost) {
      own.delete(gone)
      this.#ownSet(facing, gone).delete(id)
    }
    for (const come of gained) {
      own.add(come)
      this.#ownSet(facing, come).add(id)
    }
  }
}
