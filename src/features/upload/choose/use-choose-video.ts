import { useEffect, useRef, useState } from 'react'
import { chooseRefusalCopy } from '#src/components/upload-words/failure-copy.ts'
import { mayBeVideo } from '#src/components/video-types.ts'
import { useUploadCommands } from '#src/hooks/use-upload-commands.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'
import type { ChosenFile } from '#src/ui/dropped-files.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

/** Where one choice of a file stands. */
export type Choice =
  | { readonly kind: 'none' }
  | { readonly kind: 'checking'; readonly file: File }
  | {
      readonly kind: 'refused'
      readonly file: File
      readonly title: string
      readonly body: string | null
    }
  /** `asks`: something should be read before it is sent. */
  | {
      readonly kind: 'checked'
      readonly file: File
      readonly uploadId: string
      readonly report: ProbeReport | null
      readonly notices: readonly Finding[]
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
  readonly choice: Choice
  readonly poster: Blob | null
  /** There is none and none will come: nothing here decodes the video. */
  readonly isPosterMissing: boolean
  readonly choose: (chosen: readonly ChosenFile[]) => void
  /** 'Upload anyway'. */
  readonly start: () => void
  /** Back to the drop zone; what was checked is forgotten. */
  readonly reset: () => void
}

const SHORT_VIDEO =
  'Did you mean to upload a longer video? Onecut works best with full scene videos.'

/**
 * From a dropped or chosen file to a running upload: the specified rules for one video (UPL-03),
 * the check on this device, then the start, by itself when there is nothing to ask.
 */
export function useChooseVideo(): ChooseVideo {
  const commands = useUploadCommands()
  const toasts = useToasts()
  const [choice, setChoice] = useState<Choice>({ kind: 'none' })
  const [poster, setPoster] = useState<Blob | null>(null)
  const [isPosterMissing, setIsPosterMissing] = useState(false)
  // Only the newest choice counts; an older check that ends later says nothing any more.
  const newest = useRef(0)
  useEffect(
    () => () => {
      newest.current += 1
    },
    [],
  )

  const begin = async (checked: Extract<Choice, { kind: 'checked' }>) => {
    const { file, uploadId, report, notices } = checked
    setChoice({ kind: 'started', file, uploadId, report, notices })
    const started = await commands.start(uploadId, file)
    if (started.ok) return
    toasts.show('error', 'File upload failed')
    setChoice({
      kind: 'refused',
      file,
      title: 'File upload failed',
      body: 'The upload could not start in this browser. Nothing was sent. Please try again.',
    })
  }
  const check = async ({ file, handle }: ChosenFile) => {
    newest.current += 1
    commands.cancelChecks()
    const turn = newest.current
    setPoster(null)
    setIsPosterMissing(false)
    setChoice({ kind: 'checking', file })
    const picture = commands.poster(file)
    void picture.then((made) => {
      if (turn !== newest.current) return
      if (made.ok) setPoster(made.value)
      else setIsPosterMissing(true)
    })
    const chosen = await commands.choose(file, handle)
    if (turn !== newest.current) {
      if (chosen.ok) void commands.discard(chosen.value.uploadId)
      return
    }
    if (!chosen.ok) {
      const copy = chooseRefusalCopy(chosen.error)
      toasts.show('error', copy.title)
      setChoice({ kind: 'refused', file, title: copy.title, body: copy.body })
      return
    }
    const { uploadId, report, notices, isShortVideo } = chosen.value
    // The next step shows it; it may be made only after this screen is gone.
    void picture.then((made) => (made.ok ? commands.keepPoster(uploadId, made.value) : undefined))
    if (isShortVideo) toasts.show('info', SHORT_VIDEO)
    const checked = {
      kind: 'checked',
      file,
      uploadId,
      report,
      notices,
      asks: notices.some((finding) => finding.verdict === 'warn'),
    } as const
    if (checked.asks) setChoice(checked)
    else await begin(checked)
  }
  const refuse = (file: File, title: string, body: string) => {
    toasts.show('error', title)
    setChoice({ kind: 'refused', file, title, body })
  }
  const forget = () => {
    if (choice.kind === 'checked') void commands.discard(choice.uploadId)
    newest.current += 1
    commands.cancelChecks()
    setPoster(null)
    setChoice({ kind: 'none' })
  }

  return {
    choice,
    poster,
    isPosterMissing,
    choose: (chosen) => {
      const [first] = chosen
      if (first === undefined) return
      if (choice.kind === 'checked') void commands.discard(choice.uploadId)
      if (chosen.length > 1)
        refuse(
          first.file,
          'Upload one video at a time',
          'Please choose a single video. You can upload the next one right afterward.',
        )
      else if (!mayBeVideo(first.file))
        refuse(
          first.file,
          'Only video files are accepted',
          'Please choose a video, for example an MP4, MOV, MKV or WebM file.',
        )
      else void check(first)
    },
    start: () => {
      if (choice.kind === 'checked') void begin(choice)
    },
    reset: forget,
  }
}
