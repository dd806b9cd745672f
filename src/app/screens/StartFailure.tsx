import { MessageScreen } from './MessageScreen.tsx'
import { Button } from '#src/ui/Button.tsx'

/**
 * Shown when the device's database cannot be opened: private modes without storage, a full or
 * broken disk.
 */
export function StartFailure() {
  return (
    <MessageScreen
      title="Onecut cannot start in this browser"
      action={<Button onPress={() => window.location.reload()}>Try again</Button>}
    >
      This browser does not let Onecut store anything on this device. Allow storage for this site,
      leave private browsing, or free up some space.
    </MessageScreen>
  )
}
