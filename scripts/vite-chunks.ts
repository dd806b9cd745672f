import { resolve } from 'node:path'
import { projectRoot } from '#scripts/project-root.ts'

const ENTRY = '/src/main.tsx'
/** What loads the app stands in a file of its own: it would else come with what it loads. */
const LOADER =
  /\/src\/(?:app\/shell\/first-picture\.ts|lib\/next-task\.ts|styles\/index\.css)$|vite\/(?:preload-helper|modulepreload-polyfill)/
const LIBRARY_INDEX = '/react-aria-components/dist/exports/index.mjs'
const FRONT_ONLY = /\/src\/(?:front\.tsx|app\/front\/|features\/landing\/)/

/** What of rolldown's context is read here. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/**
 * Which file of the build a module goes into. Left alone, the builder makes one of each few modules
 * that the same screens share: a first visit then asked for 100 files, and a phone waits for each.
 * Every screen stands on what the app starts with, so that is one file; what the page of visitors
 * needs of it is another. Screens share the rest in as few files as load little for nothing.
 */
export function chunkGroups() {
  const reach = new Map<string, ReadonlySet<string>>()
  const isReachedBy = (entry: string, id: string, graph: ModuleGraph): boolean => {
    const from = resolve(projectRoot, entry)
    const known = reach.get(from) ?? reachOf(from, graph)
    reach.set(from, known)
    return known.has(id)
  }
  const isOfApp = (id: string, graph: ModuleGraph) => isReachedBy('src/main.tsx', id, graph)
  const isOfFront = (id: string, graph: ModuleGraph) => isReachedBy('src/front.tsx', id, graph)
  return [
    {
      debugName: 'loader',
      priority: 3,
      name: (id: string) => (LOADER.test(id) ? 'loader' : null),
    },
    // A group takes what its modules import as well, so the lowest comes first.
    {
      debugName: 'base',
      priority: 2,
      name: (id: string, graph: ModuleGraph) =>
        isOfFront(id, graph) && !FRONT_ONLY.test(id) ? 'base' : null,
    },
    {
      debugName: 'app',
      priority: 1,
      name: (id: string, graph: ModuleGraph) =>
        isOfApp(id, graph) && !id.endsWith(ENTRY) ? 'app' : null,
    },
    {
      debugName: 'shared',
      name: (id: string) => (FRONT_ONLY.test(id) ? null : 'shared'),
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 5_000,
    },
  ]
}

/**
 * Everything that a module loads before it runs, itself included. Not what stands behind an index
 * of a whole library: the frame takes one thing out of it that has no file of its own, and every
 * dialog's fields would count as needed at the start.
 */
function reachOf(start: string, graph: ModuleGraph): ReadonlySet<string> {
  const reached = new Set([start])
  for (const id of reached)
    if (!id.endsWith(LIBRARY_INDEX))
      for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported)
  return reached
}
