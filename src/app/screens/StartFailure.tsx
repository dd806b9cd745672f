import { useEffect, useState } from 'react'
import { MessageScreen } from './MessageScreen.tsx'
import { KnownAddress } from '#src/components/SupportAddress.tsx'
import { Button } from '#src/ui/Button.tsx'

interface StartFailureProps {
  /** Null when none is set, undefined when the server did not say. Never rejects. */
  readonly askSupportMail: () => Promise<string | null | undefined>
}

/**
 * Shown when the device's database cannot be opened: private modes without storage, a full or
 * broken disk. It stands without everything that the app keeps on the device.
 */
export function StartFailure({ askSupportMail }: StartFailureProps) {
  const [mail, setMail] = useState<string | null>()
  useEffect(() => {
    void askSupportMail().then(setMail)
  }, [askSupportMail])
  return (
    <MessageScreen
      title="Onecut cannot start in this browser"
      action={<Button onPress={() => window.location.reload()}>Try again</Button>}
    >
      <p>
        This browser does not let Onecut store anything on this device. Allow storage for this site,
        leave private browsing, or free up some space.
      </p>
      {mail === undefined ? null : (
        <p className="mt-3">
          <KnownAddress before="If that does not help, write to" mail={mail} />
        </p>
      )}
    </MessageScreen>
  )
}
