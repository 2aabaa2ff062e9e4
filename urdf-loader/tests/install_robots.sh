#!/usr/bin/env bash
# Installs the public robots of the tests, and pinocchio for reference dynamics, into a folder of
# their own (a Python virtual environment), and says which variables to set.
#
#   bash urdf-loader/tests/install_robots.sh FOLDER
#
# Packages: example-robot-data (some 70 robots), pybullet (its pybullet_data: some 1100 files, 1000
# of them random objects), pin (pinocchio). pybullet is unpacked for its data; it is never run.
set -euo pipefail

folder=${1:?usage: install_robots.sh FOLDER}
python3 -m venv "$folder"
pip=("$folder/bin/python" -m pip --disable-pip-version-check)
"${pip[@]}" install --quiet example-robot-data pin
if ! "${pip[@]}" install --quiet --only-binary :all: --no-deps pybullet; then
    # No wheel for this Python: the source archive holds the same data.
    download=$(mktemp -d)
    trap 'rm -rf "$download"' EXIT
    "${pip[@]}" download --quiet --no-deps --no-binary :all: --no-build-isolation pybullet \
        --dest "$download"
    site=$("$folder/bin/python" -c 'import site; print(site.getsitepackages()[0])')
    tar -xzf "$download"/pybullet-*.tar.gz -C "$download"
    data=$(find "$download" -type d -name pybullet_data | head -n 1)
    cp -r "${data:?the archive of pybullet has no pybullet_data}" "$site/pybullet_data"
fi
site=$("$folder/bin/python" -c 'import site; print(site.getsitepackages()[0])')
cat <<END
export STICKSLIP_PUBLIC_ROBOTS=$site
export STICKSLIP_ROBOTS=$site/cmeel.prefix/share
END
