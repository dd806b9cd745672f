import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '#src/api/send.ts'
import type { components } from '#openapi/schema.gen.ts'
import type { ApiFailure } from '#src/api/errors.ts'
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
  | { readonly kind: 'making' }
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
      return state.dataUpdateCount < POLLS ? POLL_MS : LATER_POLL_MS
    },
    queryFn: async ({ signal }) => {
      const params = { path: { id: uploadRequestId, sampleId } }
      const address = '/v1/upload-requests/{id}/samples/{sampleId}'
      return valueOrThrow(await send(api.GET(address, { params, signal }))).sample
    },
  })
  const failure = failureOf(asked.isFetching ? null : (asked.error ?? followed.error))
  return {
    state: stateOf(wanted === edit, followed.data ?? asked.data, failure),
    ask: () => {
      setWanted(edit)
      if (wanted === edit || asked.data !== undefined)
        void queries.resetQueries({ queryKey: key, exact: true })
    },
  }
}

const MAKING = { kind: 'making' } as const

function stateOf(
  isWanted: boolean,
  sample: SampleAnswer | undefined,
  failure: ApiFailure | null,
): SampleState {
  if (failure !== null) return { kind: 'failed', failure }
  if (sample === undefined) return isWanted ? MAKING : { kind: 'unasked' }
  if (sample.state === 'failed') return { kind: 'not-made', message: sample.message }
  const { _id: id, shows, startMs, durationMs, urls } = sample
  return startMs === null || durationMs === null || urls === null
    ? MAKING
    : { kind: 'ready', sample: { id, shows, startMs, durationMs, urls } }
}
