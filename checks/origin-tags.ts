/**
 * Names under which containers note where and with what was filmed, as ffprobe and Matroska's
 * SimpleTags give them: `location`, `com.apple.quicktime.location.ISO6709`, `LOCATION`,
 * `GPSCOORDINATES`. Only the names are read: what the tags say stays private.
 */
const LOCATION_TAG = /(?:^|[.\-_])(?:location|gps)/i
const DEVICE_TAG = /(?:^|[.\-_])(?:make|model|manufacturer)(?:-eng)?$|^com\.android\.version$/i

/** Whether one of these tags says where or with which device was filmed. */
export function originOfTags(names: readonly string[]): {
  readonly hasLocation: boolean
  readonly hasDevice: boolean
} {
  return {
    hasLocation: names.some((name) => LOCATION_TAG.test(name)),
    hasDevice: names.some((name) => DEVICE_TAG.test(name)),
  }
}
