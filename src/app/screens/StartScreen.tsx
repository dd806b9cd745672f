import { useLocation } from 'react-router'
import { LoadingScreen } from './LoadingScreen.tsx'
import { paths } from '#src/config/paths.ts'

/** While the first screen and its guards load. */
export function StartScreen() {
  return (
    <LoadingScreen
      text={useLocation().pathname === paths.createProfile ? 'Loading profile...' : 'Loading…'}
    />
  )
}
