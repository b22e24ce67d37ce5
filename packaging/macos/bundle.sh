#!/bin/sh
# Makes the disk image of the frozen program for macOS: bundle.sh Winnow.app winnow.dmg
# With SIGNING_IDENTITY the bundle is signed, with NOTARY_PROFILE the image notarised, too.
set -eu

bundle=$1
image=$2

# Signed for this machine alone where nobody gave a name: macOS on ARM starts nothing unsigned.
codesign --force --deep --options runtime --timestamp="${TIMESTAMP:-none}" \
    --entitlements "$(dirname "$0")/entitlements.plist" --sign "${SIGNING_IDENTITY:--}" "$bundle"
codesign --verify --deep --strict "$bundle"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$bundle" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -volname Winnow -srcfolder "$folder" -format UDZO -quiet "$image"
hdiutil verify -quiet "$image"

if [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
