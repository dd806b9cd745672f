import { keepingMoments, takesMoments } from '#src/local/edits/moment-boards.ts'
import { plainRequest, type PresetSlug, type TaskRequest } from '#src/local/edits/task-requests.ts'

/** The chosen edits in the order of choosing, and the preset whose options are being edited. */
export interface Selection {
  readonly requests: readonly TaskRequest[]
  readonly optionsOf: PresetSlug | null
}

export type SelectionEvent =
  /** A preset card was pressed. */
  | { readonly kind: 'press'; readonly slug: PresetSlug }
  /** The person wants to change the options of a chosen preset. */
  | { readonly kind: 'change'; readonly slug: PresetSlug }
  /** Apply in the options dialog. */
  | { readonly kind: 'apply'; readonly request: TaskRequest }
  /** Cancel or Escape in the options dialog. */
  | { readonly kind: 'close' }
  /** A set of edits takes the place of what was chosen. */
  | { readonly kind: 'replace'; readonly requests: readonly TaskRequest[] }

export const NOTHING_CHOSEN: Selection = { requests: [], optionsOf: null }

/**
 * The selection of the newer flow (FMT-04). Pressing a preset toggles it; a preset with options
 * asks for them first and is added on Apply; Cancel and Escape close the dialog. A preset is chosen
 * at most once.
 */
export function reduceSelection(selection: Selection, event: SelectionEvent): Selection {
  switch (event.kind) {
    case 'press': {
      if (isChosen(selection.requests, event.slug))
        return { requests: without(selection.requests, event.slug), optionsOf: null }
      const plain = plainRequest(event.slug)
      return plain === null
        ? { ...selection, optionsOf: event.slug }
        : { requests: [...selection.requests, plain], optionsOf: null }
    }
    case 'change':
      return plainRequest(event.slug) === null || takesMoments(event.slug)
        ? { ...selection, optionsOf: event.slug }
        : selection
    case 'apply':
      return { requests: put(selection.requests, event.request), optionsOf: null }
    case 'close':
      return { ...selection, optionsOf: null }
    case 'replace':
      return { requests: event.requests, optionsOf: null }
  }
}

/** Whether the preset is among the requests. */
export function isChosen(requests: readonly TaskRequest[], slug: string): boolean {
  return requests.some((request) => request.mediaJobTaskPresetSlug === slug)
}

/** The request of a preset among those that are chosen; null where it is not. */
export function requestOf(requests: readonly TaskRequest[], slug: PresetSlug): TaskRequest | null {
  return requests.find((request) => request.mediaJobTaskPresetSlug === slug) ?? null
}

function put(requests: readonly TaskRequest[], request: TaskRequest): readonly TaskRequest[] {
  return isChosen(requests, request.mediaJobTaskPresetSlug)
    ? requests.map((present) =>
        present.mediaJobTaskPresetSlug === request.mediaJobTaskPresetSlug
          ? keepingMoments(present, request)
          : present,
      )
    : [...requests, request]
}

function without(requests: readonly TaskRequest[], slug: string): readonly TaskRequest[] {
  return requests.filter((request) => request.mediaJobTaskPresetSlug !== slug)
}
