#!/bin/sh
# Makes and removes two machines for tests of jobs over MPI: network namespaces
# with a link between them and host names of their own.
#
#   two_machines.sh make NAME FOLDER
#   two_machines.sh remove NAME
#
# FOLDER/mpirun is then mpirun on the first machine, with two ranks on each.
# Fails where namespaces are not permitted or Open MPI cannot use them. The
# machines are NAME-1 and NAME-2, with the interfaces xlv1 and xlv2.
name=$2 folder=$3

remove() {
  ip netns del "$name-1"
  ip netns del "$name-2"
}

# Enters a machine; Open MPI starts the ranks of the second one with it.
write_agent() {
  cat >"$folder/agent" <<END
#!/bin/sh
host=\$1; shift
case \$host in 10.78.0.1) n=1;; *) n=2;; esac
exec ip netns exec $name-\$n unshare -u sh -c "hostname xlac-test-\$n; \$*"
END
}

write_mpirun() {
  cat >"$folder/first" <<END
#!/bin/sh
hostname xlac-test-1
exec mpirun --mca plm_rsh_agent $folder/agent \
  --mca oob_tcp_if_include 10.78.0.0/24 --mca btl_tcp_if_include 10.78.0.0/24 \
  --host 10.78.0.1:2,10.78.0.2:2 "\$@"
END
  cat >"$folder/mpirun" <<END
#!/bin/sh
exec ip netns exec $name-1 unshare -u $folder/first "\$@"
END
}

make() {
  ip netns add "$name-1" && ip netns add "$name-2" || return 1
  ip link add xlv1 netns "$name-1" type veth peer name xlv2 netns "$name-2" ||
    return 1
  for n in 1 2; do
    ip -n "$name-$n" addr add "10.78.0.$n/24" dev "xlv$n" &&
      ip -n "$name-$n" link set "xlv$n" up &&
      ip -n "$name-$n" link set lo up || return 1
  done
  write_agent && write_mpirun &&
    chmod 755 "$folder/agent" "$folder/first" "$folder/mpirun" &&
    "$folder/mpirun" -n 4 true
}

case $1 in
make | remove) "$1" ;;
*) exit 2 ;;
esac
