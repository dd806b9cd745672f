import { Page } from '#src/ui/Page.tsx'
import { AboutYou } from './AboutYou.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Devices } from './Devices.tsx'
import { TakeAlong } from './TakeAlong.tsx'
import { TokensAtAGlance } from './TokensAtAGlance.tsx'

/** `/user-profile`: the account, the devices that are signed in, and the way out. */
export function UserProfileScreen() {
  return (
    <Page title="Your Account">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <AboutYou />
          <TokensAtAGlance />
        </div>
        <Devices />
        <TakeAlong />
        <DeleteAccount />
      </div>
    </Page>
  )
}
