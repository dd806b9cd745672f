/** Dedicated worker that reads videos on this device: what they are, and pictures of them. */
import { expose } from 'comlink'
import { createMediaHost } from './media-host.ts'

/** Gigabytes; Chromium only. Elsewhere unknown, except on iOS, where pages die early. */
const deviceMemory =
  'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number'
    ? navigator.deviceMemory
    : null
const isIos = /iPhone|iPad|iPod/.test(navigator.userAgent)

expose(createMediaHost(isIos || (deviceMemory !== null && deviceMemory <= 2)))
