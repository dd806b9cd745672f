import type { components } from '#openapi/schema.gen.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { OutboxRow } from '#src/local/db/rows.ts'
import {
  discardIntention,
  enqueueSoundChoice,
  findSoundChoice,
} from '#src/local/outbox/commands.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'
import { SECOND_MS } from '#src/lib/time.ts'

type UploadSounds = components['schemas']['UploadSounds']
type UploadSound = components['schemas']['UploadSound']

/** One of the sounds between which the creator chooses, as far as device or server know it. */
export type SoundToChoose = Pick<
  UploadSound,
  'number' | 'duration' | 'loudness' | 'language' | 'title' | 'isUsual'
>

/**
 * How what was chosen here stands: at the server, on its way, waiting for the network, or refused.
 */
export type SoundKeeping = 'saved' | 'on-its-way' | 'on-this-device' | 'refused'

export interface SoundsHere {
  readonly pull: Shown<UploadSounds>
  /** At least two; empty where there is no choice, null while that is not known. */
  readonly sounds: readonly SoundToChoose[] | null
  /** The one that edits use, by its number; null = not known. */
  readonly taken: number | null
  readonly keeping: SoundKeeping
  /** Saves on this device, from where it goes to the server. */
  readonly choose: (sound: number) => Promise<void>
  /** Takes back what the server refused. */
  readonly discard: () => Promise<void>
}

/** What this device knows of a video whose sounds are asked for. */
export interface SoundsOf {
  readonly uploadRequestId: string
  /** Of its own check; null where another device made it. */
  readonly report: ProbeReport | null
  readonly findings: readonly Finding[]
  /** The server has the whole file. */
  readonly isArrived: boolean
}

const CHECKING_POLL_MS = 5 * SECOND_MS

/**
 * The sounds of a video between which the creator chooses: those that this device heard, and those
 * of the server once it has checked the file. The server is asked only where there may be a choice.
 */
export function useUploadSounds({
  uploadRequestId,
  report,
  findings,
  isArrived,
}: SoundsOf): SoundsHere {
  const { clock, ids } = useLocal()
  const db = useAccount()?.db ?? null
  const known = useKnownSounds(uploadRequestId)
  const pull = usePulls().uploadSounds(uploadRequestId)
  const isPossible = report?.sounds !== undefined || findings.some(saysSounds)
  const isUnchecked = known?.server?.isChecked !== true
  const shown = usePulled(
    { ...pull, enabled: pull.enabled === true && isPossible && isArrived },
    {
      key: `upload-sounds:${uploadRequestId}`,
      find: async (accountDb) => {
        const row = await accountDb.uploadSounds.get(uploadRequestId)
        return row === undefined ? null : { data: row.value, asOfEpochMs: row.pulledAtEpochMs }
      },
      refetchInterval: () => (isUnchecked ? CHECKING_POLL_MS : false),
    },
  )
  const chosen = known?.waiting ?? null
  return {
    pull: shown,
    sounds: isPossible ? soundsKnown(known?.server ?? null, report) : [],
    taken: takenOf(known) ?? (report === null ? null : (report.taken?.sound ?? 0) + 1),
    keeping: chosen === null ? 'saved' : keepingOf(chosen),
    choose: async (sound) => {
      if (db !== null) await enqueueSoundChoice({ db, clock, ids }, { uploadRequestId, sound })
    },
    discard: async () => {
      if (db !== null && chosen !== null) await discardIntention(db, chosen.id)
    },
  }
}

/** The sound that the edits of a video use, where it was chosen or the server names it. */
export interface TakenSound {
  /** Among all sounds of the file, from 1. */
  readonly number: number
  /** What the server knows of the video with it; null before its check. */
  readonly known: UploadSound | null
}

/** Null where there is no choice, and while nothing is chosen before the check. Local only. */
export function useTakenSound(uploadRequestId: string | null): TakenSound | null {
  const known = useKnownSounds(uploadRequestId)
  const number = takenOf(known)
  if (number === null) return null
  return { number, known: known?.server?.sounds.find((each) => each.number === number) ?? null }
}

/** Whether a finding tells of several sounds. */
function saysSounds({ ruleId, facts }: Finding): boolean {
  return ruleId === 'A15' && facts['kind'] === 'sound'
}

type Waiting = Awaited<ReturnType<typeof findSoundChoice>>
interface KnownSounds {
  readonly server: UploadSounds | null
  readonly waiting: Waiting
}

/** Read together: a choice that was accepted is gone only where the server's words have it. */
function useKnownSounds(uploadRequestId: string | null): KnownSounds | null {
  const live = useLive(`sound-choice:${uploadRequestId}`, (db) => readKnown(db, uploadRequestId))
  return live.kind === 'ready' ? live.value : null
}

async function readKnown(db: AccountDb, id: string | null): Promise<KnownSounds | null> {
  if (id === null) return null
  return db.transaction('r', db.outbox, db.uploadSounds, async () => ({
    waiting: await findSoundChoice(db, id),
    server: (await db.uploadSounds.get(id))?.value ?? null,
  }))
}

function takenOf(known: KnownSounds | null): number | null {
  if (known === null) return null
  const { waiting, server } = known
  if (waiting !== null && waiting.state.kind !== 'refused') return waiting.intent.sound
  if (server === null) return null
  return server.isChecked
    ? (server.sounds.find(({ isTaken }) => isTaken)?.number ?? null)
    : server.chosen
}

function soundsKnown(
  server: UploadSounds | null,
  report: ProbeReport | null,
): readonly SoundToChoose[] | null {
  if (server?.isChecked === true) return server.sounds
  if (report === null) return null
  const usual = report.taken?.sound ?? 0
  return (report.sounds ?? []).map(({ number, lengthMs, language, title }) => ({
    number: number + 1,
    duration: lengthMs,
    loudness: null,
    language,
    title,
    isUsual: number === usual,
  }))
}

function keepingOf({ state, attempt }: OutboxRow): SoundKeeping {
  if (state.kind === 'refused') return 'refused'
  return attempt === 0 ? 'on-its-way' : 'on-this-device'
}
