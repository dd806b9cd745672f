import { useState } from 'react'
import type { Trim, TrimPlaces } from '#src/local/uploads/page/trim.ts'

/** A video of which only a part can be sent. */
export interface TrimSubject {
  readonly name: string
  /** The whole. */
  readonly file: File
  readonly places: TrimPlaces
  /** What is sent; null = the whole. */
  readonly trim: Trim | null
  /** What of it has arrived at the server, and would be sent again. */
  readonly arrivedBytes: number
  /** Null = the whole. Resolves with why it is not sent like that, in words; null when it is. */
  readonly onChoose: (trim: Trim | null) => Promise<string | null>
}

/** The choice of what is sent of a video, as far as it is. */
export interface TrimChoice {
  readonly subject: TrimSubject
  /** `closed`: it was open, so that the focus goes back to what opens it. */
  readonly step: 'begin' | 'open' | 'closed'
  readonly isBusy: boolean
  /** Why what was chosen is not sent, in words; null while all is well. */
  readonly refusal: string | null
  readonly open: () => void
  readonly choose: (trim: Trim | null) => void
}

/** @param subject null where the video cannot be cut, or not any more: then there is no choice */
export function useTrimChoice(subject: TrimSubject | null): TrimChoice | null {
  const [step, setStep] = useState<TrimChoice['step']>('begin')
  const [isBusy, setIsBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  if (subject === null) return null
  const choose = async (trim: Trim | null) => {
    setIsBusy(true)
    const refused = trim === subject.trim ? null : await subject.onChoose(trim)
    setIsBusy(false)
    setRefusal(refused)
    if (refused === null) setStep('closed')
  }
  return {
    subject,
    step,
    isBusy,
    refusal,
    open: () => setStep('open'),
    choose: (trim) => void choose(trim),
  }
}
