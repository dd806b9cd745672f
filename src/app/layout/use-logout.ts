import { useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useSignOut } from '#src/hooks/use-sign-out.ts'

/** Signs out, forgets what this tab kept, and goes to the log-in page in place of the history's entry. */
export function useLogout(): { readonly logOut: () => void; readonly isBusy: boolean } {
  const signOut = useSignOut()
  const navigate = useNavigate()
  const leave = async () => {
    await signOut.mutateAsync()
    sessionStorage.clear()
    await navigate(paths.logIn, { replace: true })
  }
  return { logOut: () => { if (!signOut.isPending) void leave() }, isBusy: signOut.isPending }
}
