import { useEffect, useRef, useState } from 'react'
import type { Moment } from '#recipes/types.ts'
import { Play } from 'lucide-react'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import { useSettled } from '#src/hooks/clock/use-settled.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { EndsStrip } from '#src/components/assets/EndsStrip.tsx'
import { LogoStrip } from '#src/components/assets/LogoStrip.tsx'
import { EditPreview } from './EditPreview.tsx'

export interface LivePreviewProps {
  readonly footage: PreviewFootage
  /** What the form says now; null while it cannot be used. */
  readonly request: TaskRequest | null
  /** What the server found in the video; left out while that is not known. */
  readonly moments?: readonly Moment[]
  /** Without being asked for by its button. */
  readonly isShownAtOnce: boolean
}

/** The server's pictures do not show all that options change. */
const FILL_IN: Readonly<Record<PreviewFootage['kind'], string>> = {
  video: 'Fill in the options above to see them on your video.',
  served: 'Fill in the options above for their preview.',
}
/** A shorter pause is still typing. */
const PAUSE_MS = 500

/**
 * The edit with the options as they stand in the form, before they are applied; follows the form
 * once it is asked for.
 */
export function LivePreview({ footage, request, moments, isShownAtOnce }: LivePreviewProps) {
  const [isShown, setIsShown] = useState(isShownAtOnce)
  const settled = useSettled(request, PAUSE_MS)
  const place = useRef<HTMLElement>(null)
  const wasAskedFor = isShown && !isShownAtOnce
  // The button that was pressed is gone, and without it the dialog would go to 'Close'.
  useEffect(() => {
    if (wasAskedFor) place.current?.focus({ preventScroll: true })
  }, [wasAskedFor])
  if (!isShown)
    return (
      <Button variant="secondary" onPress={() => setIsShown(true)} className="mt-6 w-full">
        <Play aria-hidden className="size-4.5" />
        Preview
      </Button>
    )
  return (
    <section
      ref={place}
      aria-label="Preview"
      tabIndex={-1}
      className="mt-6 border-t border-line pt-5 outline-none"
    >
      {settled === null ? (
        <p>{FILL_IN[footage.kind]}</p>
      ) : (
        <>
          <EditPreview
            footage={footage}
            edit={{
              slug: settled.mediaJobTaskPresetSlug,
              payload: 'payload' in settled ? settled.payload : undefined,
              moments,
            }}
          />
          <EndsStrip request={settled} />
          {/* The server shows the logo itself. */}
          {footage.kind === 'video' ? <LogoStrip request={settled} /> : null}
        </>
      )}
    </section>
  )
}
