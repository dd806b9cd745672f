import { Share2 } from 'lucide-react'
import { canShareFile, useShareFile, type SharableFile, type ShareState } from './use-share-file.ts'
import { Button } from '#src/ui/Button.tsx'

const WORDS: Readonly<Record<ShareState, string>> = {
  idle: 'Share',
  loading: 'Getting the file',
  ready: 'Share now',
  failed: 'Share again',
}

/** Hands a result to another app of the device; draws nothing where the browser cannot. */
export function ShareFile(props: ShareFileProps) {
  return canShareFile(props.file) ? <Sharing {...props} /> : null
}

interface ShareFileProps {
  readonly file: SharableFile
  /** Its bytes where they are on this device, else its address. */
  readonly from: Blob | string
  readonly onShare?: () => void
}

function Sharing({ file, from, onShare }: ShareFileProps) {
  const { state, share } = useShareFile(file, from)
  return (
    <>
      <Button
        variant="secondary"
        onPress={() => {
          onShare?.()
          share()
        }}
        isBusy={state === 'loading'}
        label={`${WORDS[state]}: ${file.fileName}`}
        className="w-full"
      >
        {state === 'loading' ? null : <Share2 aria-hidden className="size-4.5" />}
        {WORDS[state]}
      </Button>
      <p role="status" className="text-sm text-ink-muted empty:hidden">
        {state === 'failed' ? 'The file could not be shared. You can download it instead.' : ''}
      </p>
    </>
  )
}
