import { useEffect, useRef, useState } from 'react'
import { chooseRefusalCopy } from '#src/components/upload-words/failure-copy.ts'
import { mayBeVideo } from '#src/components/uploads/video-types.ts'
import { useUploadCommands } from '#src/hooks/uploads/use-upload-commands.ts'
import type { UploadCommands } from '#src/local/compose-upload-commands.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'
import type { ChosenVideo } from '#src/local/uploads/page/choose.ts'
import type { Trim } from '#src/local/uploads/page/trim.ts'
import type { ChosenFile } from '#src/ui/dropped-files.ts'
import { useToasts } from '#src/ui/toasts-context.ts'
import { trimRefusalWords } from '#src/features/upload/trim/refusal-words.ts'

/** The state of one choice of a file. */
export type VideoChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'checking'; readonly file: File }
  | {
      readonly kind: 'refused'
      readonly file: File
      readonly title: string
      readonly body: string | null
    }
  /**
   * `asks`: a finding should be read before the video is sent. `file` is what is sent of `whole`:
   * all of it, or a trim.
   */
  | {
      readonly kind: 'checked'
      readonly file: File
      readonly whole: File
      readonly trim: Trim | null
      readonly uploadId: string
      readonly report: ProbeReport | null
      readonly notices: readonly Finding[]
      readonly handle: ChosenFile['handle']
      readonly asks: boolean
    }
  | {
      readonly kind: 'started'
      readonly file: File
      readonly uploadId: string
      readonly report: ProbeReport | null
      readonly notices: readonly Finding[]
    }

export interface ChooseVideo {
  readonly choice: VideoChoice
  readonly poster: Blob | null
  /** This browser cannot decode the video, so that there will be no poster. */
  readonly isPosterMissing: boolean
  readonly choose: (chosen: readonly ChosenFile[]) => void
  /** 'Upload anyway'. */
  readonly start: () => void
  /**
   * Sends only this of a checked video; null = the whole. Resolves with why it stays as it was, in
   * words; null when it is set.
   */
  readonly setTrim: (trim: Trim | null) => Promise<string | null>
  /** Back to the drop zone; forgets the checked file. */
  readonly reset: () => void
}

const SHORT_VIDEO =
  'Did you mean to upload a longer video? Onecut works best with full scene videos.'

/**
 * From a dropped or chosen file to a running upload: the rules for one video (UPL-03), the check on
 * this device, then the start, without a question where the check has none.
 */
export function useChooseVideo(): ChooseVideo {
  const commands = useUploadCommands()
  const toasts = useToasts()
  const startRun = useRuns()
  const [choice, setChoice] = useState<VideoChoice>({ kind: 'none' })
  const { poster, ...posters } = usePoster()

  const refuse = (file: File, { title, body }: Refusal) => {
    setChoice({ kind: 'refused', file, title, body })
  }
  const begin = async ({ file, whole, uploadId, report, notices }: Checked) => {
    setChoice({ kind: 'started', file, uploadId, report, notices })
    const started = await commands.start(uploadId, whole)
    if (!started.ok) refuse(whole, NOT_STARTED)
  }
  const check = async ({ file, handle }: ChosenFile) => {
    const isNewest = startRun()
    commands.cancelChecks()
    setChoice({ kind: 'checking', file })
    const picture = posters.make(file, isNewest)
    const chosen = await commands.choose(file, handle)
    if (!isNewest()) {
      if (chosen.ok) void commands.discard(chosen.value.uploadId)
      return
    }
    if (!chosen.ok)
      return refuse(file, chooseRefusalCopy(chosen.error, { purpose: 'media-job', file }))
    const { uploadId, isShortVideo } = chosen.value
    posters.keep(uploadId, picture)
    if (isShortVideo) toasts.show('info', SHORT_VIDEO)
    const checked = toChecked({ file, whole: file, trim: null, handle }, chosen.value)
    return checked.asks ? setChoice(checked) : begin(checked)
  }
  const dropChecked = () => {
    if (choice.kind === 'checked') void commands.discard(choice.uploadId)
  }
  return {
    choice,
    poster: poster === 'missing' ? null : poster,
    isPosterMissing: poster === 'missing',
    choose: ([first, ...others]) => {
      if (first === undefined) return
      dropChecked()
      const refusal = refusalOf(first.file, 1 + others.length)
      if (refusal === null) void check(first)
      else refuse(first.file, refusal)
    },
    start: () => void (choice.kind === 'checked' && begin(choice)),
    setTrim: (trim) => trimChecked({ commands, choice, setChoice, startRun, posters }, trim),
    reset: () => {
      dropChecked()
      startRun()
      commands.cancelChecks()
      posters.clear()
      setChoice({ kind: 'none' })
    },
  }
}

interface Trimming {
  readonly commands: UploadCommands
  readonly choice: VideoChoice
  readonly setChoice: (change: (now: VideoChoice) => VideoChoice) => void
  readonly startRun: ReturnType<typeof useRuns>
  readonly posters: Pick<ReturnType<typeof usePoster>, 'make'>
}

/** Resolves with why what is sent stays as it was, in words; null when it is set. */
async function trimChecked(
  { commands, choice, setChoice, startRun, posters }: Trimming,
  trim: Trim | null,
): Promise<string | null> {
  if (choice.kind !== 'checked') return null
  const { whole, handle, uploadId } = choice
  const isNewest = startRun()
  const set = await commands.setTrim(uploadId, whole, trim)
  if (!set.ok) return trimRefusalWords(set.error, whole)
  if (!isNewest()) return null
  const checked = toChecked({ ...set.value, whole, handle }, set.value)
  // The upload may have begun meanwhile.
  setChoice((now) => (now === choice ? checked : now))
  void posters.make(set.value.file, isNewest)
  return null
}

/** The poster of the chosen video: a picture, 'missing' where none can be made, null until then. */
function usePoster() {
  const commands = useUploadCommands()
  const [poster, setPoster] = useState<Blob | 'missing' | null>(null)
  const make = (file: File, isNewest: () => boolean) => {
    setPoster(null)
    const picture = commands.poster(file)
    void picture.then((made) => {
      if (isNewest()) setPoster(made.ok ? made.value : 'missing')
    })
    return picture
  }
  // The next step shows the picture, which may be ready only after this screen is gone.
  const keep = (uploadId: string, picture: ReturnType<typeof make>) =>
    void picture.then((made) => (made.ok ? commands.keepPoster(uploadId, made.value) : undefined))
  return { poster, make, keep, clear: () => setPoster(null) }
}

/**
 * Returns a function that starts a run and ends the one before it. Each run gets a function that
 * says whether it is still the newest.
 */
function useRuns(): () => () => boolean {
  const newest = useRef(0)
  useEffect(
    () => () => {
      newest.current += 1
    },
    [],
  )
  return () => {
    newest.current += 1
    const run = newest.current
    return () => run === newest.current
  }
}

type Checked = Extract<VideoChoice, { kind: 'checked' }>

interface Refusal {
  readonly title: string
  readonly body: string | null
}

const NOT_STARTED: Refusal = {
  title: 'File upload failed',
  body: 'The upload could not start in this browser. Nothing was sent. Please try again.',
}

/** Why a drop is refused before the file is read; null when it is taken. */
function refusalOf(first: File, count: number): Refusal | null {
  if (count > 1)
    return {
      title: 'Upload one video at a time',
      body: `These are ${count} files. Please choose a single video; the next one can follow right afterward.`,
    }
  return mayBeVideo(first)
    ? null
    : {
        title: 'Only video files are accepted',
        body: 'Please choose a video, for example an MP4, MOV, MKV or WebM file.',
      }
}

function toChecked(
  of: Pick<Checked, 'file' | 'whole' | 'trim' | 'handle'>,
  { uploadId, report, notices }: ChosenVideo,
): Checked {
  const { file, whole, trim, handle } = of
  const asks = notices.some((finding) => finding.verdict === 'warn')
  return { kind: 'checked', file, whole, trim, handle, uploadId, report, notices, asks }
}
