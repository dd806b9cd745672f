import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '#src/api/send.ts'
import type { components } from '#openapi/schema.gen.ts'
import { isTransient, type ApiFailure } from '#src/api/errors.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { failureOf, valueOrThrow } from '#src/hooks/sync/query-client.ts'
import type { PreviewEdit } from './use-previews.ts'

type SampleAnswer = components['schemas']['Sample']
type Asked = components['schemas']['CreateSampleBody']['sample']

/** Some seconds of a video before and after an edit, as the server shows them. */
export interface ReadySample {
  readonly id: string
  readonly startMs: number
  readonly durationMs: number
  /** The whole picture made small, or the middle of it at its own size. */
  readonly shows: SampleAnswer['shows']
  readonly urls: NonNullable<SampleAnswer['urls']>
}

/** How far a sample is. */
export type SampleState =
  /** Each costs the server time, so it is made when a person asks for it. */
  | { readonly kind: 'unasked' }
  | {
      readonly kind: 'making'
      /** The server does not say how far it is; it is asked again. */
      readonly isUnheard: boolean
    }
  | { readonly kind: 'ready'; readonly sample: ReadySample }
  /** The server could not make it, in its words. */
  | { readonly kind: 'not-made'; readonly message: string | null }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }

const POLL_MS = 1_000
/** A sample that nothing comes before is there by then. */
const POLLS = 20
const LATER_POLL_MS = 5_000

/** The sample of one edit with its options; `ask` has it made, and made again where it failed. */
export function useSample(
  uploadRequestId: string,
  { slug, payload }: Pick<PreviewEdit, 'slug' | 'payload'>,
): { readonly state: SampleState; readonly ask: () => void } {
  const { api } = useLocal()
  const userId = useAccount()?.userId ?? null
  const queries = useQueryClient()
  const edit = JSON.stringify([uploadRequestId, slug, payload ?? null])
  const [wanted, setWanted] = useState<string | null>(null)
  const key = ['sample', userId, edit]
  const asked = useQuery<SampleAnswer>({
    queryKey: key,
    enabled: userId !== null && wanted === edit,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }) => {
      // The server checks the options; an edit of passages never comes here.
      const sample = { mediaJobTaskPresetSlug: slug, payload } as Asked
      const params = { path: { id: uploadRequestId } }
      const address = '/v1/upload-requests/{id}/samples'
      return valueOrThrow(await send(api.POST(address, { params, body: { sample }, signal })))
        .sample
    },
  })
  const sampleId = asked.data?._id ?? ''
  const followed = useQuery<SampleAnswer>({
    queryKey: ['sample-state', userId, sampleId],
    enabled: asked.data?.state === 'waiting',
    staleTime: Infinity,
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && state.data.state !== 'waiting') return false
      if (isForGood(failureOf(state.error))) return false
      return state.dataUpdateCount < POLLS ? POLL_MS : LATER_POLL_MS
    },
    queryFn: async ({ signal }) => {
      const params = { path: { id: uploadRequestId, sampleId } }
      const address = '/v1/upload-requests/{id}/samples/{sampleId}'
      return valueOrThrow(await send(api.GET(address, { params, signal }))).sample
    },
  })
  const unheard = failureOf(followed.error)
  // Of an earlier look it says nothing: what was refused for a time then may be made now.
  const failure =
    asked.isFetching || (wanted !== edit && asked.data === undefined)
      ? null
      : (failureOf(asked.error) ?? (isForGood(unheard) ? unheard : null))
  const shown = followed.data ?? asked.data
  return {
    state: stateOf(wanted === edit, shown, { failure, isUnheard: unheard !== null }),
    ask: () => {
      setWanted(edit)
      if (wanted === edit || asked.data !== undefined)
        void queries.resetQueries({ queryKey: key, exact: true })
    },
  }
}

/** What is asked again may be answered: the sample is made whether the server is heard or not. */
function isForGood(failure: ApiFailure | null): boolean {
  return failure !== null && !isTransient(failure)
}

interface Heard {
  readonly failure: ApiFailure | null
  readonly isUnheard: boolean
}

function stateOf(
  isWanted: boolean,
  sample: SampleAnswer | undefined,
  { failure, isUnheard }: Heard,
): SampleState {
  if (failure !== null) return { kind: 'failed', failure }
  const making = { kind: 'making', isUnheard } as const
  if (sample === undefined) return isWanted ? making : { kind: 'unasked' }
  if (sample.state === 'failed') return { kind: 'not-made', message: sample.message }
  const { _id: id, shows, startMs, durationMs, urls } = sample
  return startMs === null || durationMs === null || urls === null
    ? making
    : { kind: 'ready', sample: { id, shows, startMs, durationMs, urls } }
}
