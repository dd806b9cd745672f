import { useRef, useState, type ReactNode } from 'react'
import { useUploadAttestation } from '#src/hooks/edits/use-media-job.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { ATTESTATION } from '#spec/attestation.ts'

/** The box of the first order of a video, and what it holds back. */
export interface Attesting {
  /** The box, or null once the video is attested. */
  readonly box: ReactNode
  /**
   * What goes with the order: `version` is null for a video that is attested already. Null while
   * the box is not ticked; the box then says that it is needed and takes the focus, by which it
   * comes into view.
   */
  readonly confirm: () => { readonly version: string | null } | null
}

/** What the box says when it is needed. */
const ASKED_BY = {
  order: 'Please tick this box to order edits of this video.',
  device: 'Please tick this box to make edits of this video.',
} as const

/**
 * Asks once for each video that everyone shown agreed. Both flows put `box` beside the button that
 * orders and call `confirm` when it is pressed; so does what makes an edit on this device, whose
 * answer the first order takes along. `uploadRequestId` is null while there is none: such a video
 * cannot have been ordered.
 * @param device the upload on this device that edits are made of; left out for an order
 */
export function useAttesting(
  uploadRequestId: string | null,
  device: { readonly uploadId: string } | null = null,
): Attesting {
  const attested = useUploadAttestation(uploadRequestId, device?.uploadId ?? null)
  const [isTicked, setTicked] = useState(false)
  const [isMissed, setMissed] = useState(false)
  const box = useRef<HTMLInputElement | null>(null)
  if (attested !== 'none') {
    const version = attested === 'kept' ? ATTESTATION.version : null
    return { box: null, confirm: () => ({ version }) }
  }
  return {
    box: (
      <div>
        <Checkbox
          isSelected={isTicked}
          isInvalid={isMissed && !isTicked}
          onChange={setTicked}
          inputRef={box}
          className="text-sm leading-snug"
        >
          {ATTESTATION.text}
        </Checkbox>
        <p role="status" className="text-sm text-bad">
          {isMissed && !isTicked ? ASKED_BY[device === null ? 'order' : 'device'] : ''}
        </p>
      </div>
    ),
    confirm: () => {
      if (isTicked) return { version: ATTESTATION.version }
      setMissed(true)
      box.current?.focus()
      return null
    },
  }
}
