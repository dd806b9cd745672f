/** Something that answers at a path: a template such as `/v1/orders/{orderId}`. */
interface Routed {
  readonly method: string
  readonly path: string
}

/** Finds what answers at a path. */
export interface PathTable<T> {
  /** What answers there, by method in lower case. A `/` at the end of the path does not count. */
  find(path: string): ReadonlyMap<string, T>
  /** The values in a path that `template` fits; percent signs stay. */
  valuesIn(path: string, template: string): Readonly<Record<string, string>>
}

/**
 * Sorts templates by their number of segments, once: the cost of a path is that of reading it,
 * however long it is and whatever it names. Of two templates the one with more text of its own
 * counts, so that a fixed path is never taken for an id.
 */
export function createPathTable<T extends Routed>(
  root: string,
  entries: readonly T[],
): PathTable<T> {
  const bySize = new Map<number, Template<T>[]>()
  for (const entry of entries) {
    const segments = entry.path.split('/').slice(1)
    const known = bySize.get(segments.length) ?? []
    bySize.set(segments.length, known)
    known.push({ segments, entry, ownLength: entry.path.replaceAll(/\{.*?\}/g, '').length })
  }
  for (const templates of bySize.values()) templates.sort((a, b) => b.ownLength - a.ownLength)
  // One segment more than any template has tells a path that is too long from all of them.
  const segmentsOf = (path: string): readonly string[] =>
    withoutSlashes(path.slice(root.length + 1)).split('/', Math.max(0, ...bySize.keys()) + 1)
  return {
    find(path) {
      const found = new Map<string, T>()
      if (!path.startsWith(`${root}/`)) return found
      const segments = segmentsOf(path)
      for (const template of bySize.get(segments.length) ?? [])
        if (fits(template, segments) && !found.has(template.entry.method))
          found.set(template.entry.method, template.entry)
      return found
    },
    valuesIn(path, template) {
      const given = segmentsOf(path)
      const names = template.split('/').slice(1)
      return Object.fromEntries(
        names.flatMap((name, at) =>
          isValue(name) ? [[name.slice(1, -1), given[at] ?? ''] as const] : [],
        ),
      )
    },
  }
}

interface Template<T> {
  readonly segments: readonly string[]
  readonly entry: T
  readonly ownLength: number
}

function fits<T>({ segments }: Template<T>, given: readonly string[]): boolean {
  return segments.every((segment, at) =>
    isValue(segment) ? given[at] !== '' : segment === given[at],
  )
}

function isValue(segment: string): boolean {
  return segment.startsWith('{')
}

// Not by a pattern: one that looks for slashes before an end tries again from each of them.
function withoutSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
