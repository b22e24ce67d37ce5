#!/bin/sh
# Build the macOS disk image of the frozen program: bundle.sh Winnow.app winnow.dmg
# SIGNING_IDENTITY signs the bundle, NOTARY_PROFILE notarizes the image.
set -eu

bundle=$1
image=$2

# Ad-hoc signature without SIGNING_IDENTITY: macOS on ARM does not start unsigned programs.
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
