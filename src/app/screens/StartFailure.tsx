import { useEffect, useState } from 'react'
import { MessageScreen } from './MessageScreen.tsx'
import { KnownAddress } from '#src/components/help/SupportAddress.tsx'
import { Button } from '#src/ui/Button.tsx'

/** `refused`: the browser stores nothing. `silent`: it has not answered so far. */
export type StartTrouble = 'refused' | 'silent'

interface StartFailureProps {
  readonly trouble: StartTrouble
  /** Null when none is set, undefined when the server did not say. Never rejects. */
  readonly askSupportMail: () => Promise<string | null | undefined>
}

const WORDS: Readonly<Record<StartTrouble, { readonly title: string; readonly body: string }>> = {
  refused: {
    title: 'Onecut cannot start in this browser',
    body: 'This browser does not let Onecut store anything on this device. Allow storage for this site, leave private browsing, or free up some space.',
  },
  silent: {
    title: 'This browser does not answer',
    body: 'Onecut asked this browser for what it keeps on this device, and got no answer so far. Onecut starts as soon as it comes. If it does not come, close other tabs of this site and try again, or restart the browser.',
  },
}

/**
 * Shown when the device's database cannot be opened: private modes without storage, a full or
 * broken disk, a browser that does not answer. It stands without everything that the app keeps on
 * the device.
 */
export function StartFailure({ trouble, askSupportMail }: StartFailureProps) {
  const [mail, setMail] = useState<string | null>()
  useEffect(() => {
    void askSupportMail().then(setMail)
  }, [askSupportMail])
  const { title, body } = WORDS[trouble]
  return (
    <MessageScreen
      title={title}
      action={<Button onPress={() => window.location.reload()}>Try again</Button>}
    >
      <p>{body}</p>
      {mail === undefined ? null : (
        <p className="mt-3">
          <KnownAddress before="If that does not help, write to" mail={mail} />
        </p>
      )}
    </MessageScreen>
  )
}
