import { olderFlow, olderFlowPath } from '#src/config/paths.ts'
import {
  plainRequest,
  type PresetSlug,
  type SlugWithOptions,
} from '#src/local/edits/task-requests.ts'

/** A preset with options that has no page does not compile. */
const PAGES: Readonly<Record<SlugWithOptions, string>> = olderFlow.options

/** The page that asks for the options of a preset, for one upload; null for one without options. */
export function optionsPath(slug: PresetSlug, uploadRequestId: string): string | null {
  return hasPage(slug) ? olderFlowPath(PAGES[slug], uploadRequestId) : null
}

function hasPage(slug: PresetSlug): slug is SlugWithOptions {
  return plainRequest(slug) === null
}
