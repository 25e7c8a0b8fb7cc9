"""The calls of command_line_test.py: for each the exit code, words of what it
prints, and the command. `ok` is short for `--no-cache --inputs zeros`."""

CALLS = """
# Programs.
0 | [0, 0]                          | xlac run good.mlir ok
0 | [0, 0]                          | xlac run - ok < good.mlir
0 | [0, 0]                          | xlac translate good.mlir --to bytecode | xlac run - ok
1 | absent.mlir: cannot be opened   | xlac run absent.mlir ok
1 | folder: is a directory          | xlac run folder ok
1 | empty.mlir                      | xlac run empty.mlir ok
1 | words.mlir:1:1                  | xlac run words.mlir ok
1 | binary.mlir                     | xlac run binary.mlir ok
1 | cut.mlir                        | xlac run cut.mlir ok
1 | types.mlir:3                    | xlac run types.mlir ok
1 | huge.mlir                       | xlac run huge.mlir ok
1 | memory                          | xlac run large.mlir ok
1 | pair.npy                        | xlac run pair.npy ok
1 | has no function @other          | xlac run good.mlir ok --entry other
1 | gives more than                 | xlac translate /dev/zero
1 | nobody_has_this                 | xlac run callback.mlir ok
0 | [-0, -0, -0, -0]                | xlac run sharded.mlir ok
1 | 2 partitions                    | xlac run sharded.mlir ok --devices 3
0 | xla:1                           | xlac run good.mlir ok --devices 2
0 | tensor<f32> 0                   | xlac run token.mlir ok
2 | input is required               | xlac run
1 | standard input                  | xlac run - --inputs - < good.mlir
1 | absent.mlir                     | xlac bench absent.mlir ok
1 | absent.mlir                     | xlac compile absent.mlir -o x.xlax
1 | absent.mlir                     | xlac inspect absent.mlir
1 | absent.mlir                     | xlac translate absent.mlir
1 | absent.mlir                     | xlac opt absent.mlir --passes 'builtin.module(cse)'
1 | absent.mlir                     | xlac graph absent.mlir -o x.svg
1 | absent.mlir                     | xlac explain absent.mlir --mesh 2
1 | absent.mlir                     | xlac check absent.mlir
1 | words.mlir                      | xlac inspect words.mlir
1 | words.mlir                      | xlac graph words.mlir -o x.svg
1 | words.mlir                      | xlac explain words.mlir --mesh 2
1 | words.mlir                      | xlac compile words.mlir -o x.xlax

# Inputs from files.
0 | [2, 4]                          | xlac run good.mlir --no-cache --inputs pair.npy
0 | [2, 4]                          | xlac run good.mlir --no-cache --inputs - < pair.npy
0 | [2, 4]                          | xlac run good.mlir --no-cache --inputs big.npy
0 | [2, 4]                          | xlac run good.mlir --no-cache --inputs 0=one.npz
0 | [2, 4]                          | xlac run good.mlir --no-cache --inputs one.npz:only
0 | [2, 4]                          | cat one.npz | xlac run good.mlir --no-cache --inputs -:only
0 | [[1, 2, 3], [4, 5, 6]]          | xlac run named.mlir --no-cache --inputs fortran.npy row.npy scalar.npy
0 | [[1, 2, 3], [4, 5, 6]]          | xlac run named.mlir --no-cache --inputs named.npz zeros
0 | [[1, 2, 3], [4, 5, 6]]          | xlac run named.mlir --no-cache --inputs numbered.npz
0 | [[1, 1, 1], [1, 1, 1]]          | xlac run named.mlir --no-cache --inputs good.safetensors zeros
0 | [[1, 1, 1], [1, 1, 1]]          | xlac run named.mlir --no-cache --inputs packed.npz zeros
0 | tensor<3x4xf32>                 | xlac run dynamic.mlir --no-cache --inputs rows.npy
0 | [true, false]                   | xlac run narrow.mlir --no-cache --inputs 1=bits.npy flags.npy 0=2xi4=-8,7
1 | absent.npy: cannot be opened    | xlac run good.mlir --no-cache --inputs absent.npy
1 | folder: is a directory          | xlac run good.mlir --no-cache --inputs folder
1 | empty.npy: is empty             | xlac run good.mlir --no-cache --inputs empty.npy
1 | words.npy: is not a file of     | xlac run good.mlir --no-cache --inputs words.npy
1 | magic.npy                       | xlac run good.mlir --no-cache --inputs magic.npy
1 | cut.npy: is truncated           | xlac run good.mlir --no-cache --inputs cut.npy
1 | header.npy                      | xlac run good.mlir --no-cache --inputs header.npy
1 | version.npy                     | xlac run good.mlir --no-cache --inputs version.npy
1 | object.npy                      | xlac run good.mlir --no-cache --inputs object.npy
1 | text.npy                        | xlac run good.mlir --no-cache --inputs text.npy
1 | record.npy                      | xlac run good.mlir --no-cache --inputs record.npy
1 | dates.npy                       | xlac run good.mlir --no-cache --inputs dates.npy
1 | huge.npy                        | xlac run good.mlir --no-cache --inputs huge.npy
1 | holds tensor<2xf64>, the program takes tensor<2xf32> | xlac run good.mlir --no-cache --inputs doubles.npy
1 | input 0: three.npy holds        | xlac run good.mlir --no-cache --inputs three.npy
1 | good.mlir: is not a file of     | xlac run good.mlir --no-cache --inputs good.mlir
1 | gives more than                 | xlac run good.mlir --no-cache --inputs /dev/zero
1 | standard input: is empty        | xlac run good.mlir --no-cache --inputs - < /dev/null
1 | cut.npz                         | xlac run named.mlir --no-cache --inputs cut.npz zeros
1 | flipped.npz                     | xlac run named.mlir --no-cache --inputs flipped.npz zeros
1 | notes.npz                       | xlac run named.mlir --no-cache --inputs notes.npz zeros
1 | none.npz                        | xlac run named.mlir --no-cache --inputs none.npz zeros
1 | has 3 arrays; name one          | xlac run good.mlir --no-cache --inputs 0=named.npz
1 | has no array 'y'                | xlac run good.mlir --no-cache --inputs named.npz:y
1 | none of its 1 arrays            | xlac run good.mlir --no-cache --inputs one.npz
1 | short.safetensors               | xlac run named.mlir --no-cache --inputs short.safetensors zeros
1 | beyond.safetensors              | xlac run named.mlir --no-cache --inputs beyond.safetensors zeros
1 | shape.safetensors               | xlac run named.mlir --no-cache --inputs shape.safetensors zeros
1 | dtype.safetensors               | xlac run named.mlir --no-cache --inputs dtype.safetensors zeros
1 | long.safetensors                | xlac run named.mlir --no-cache --inputs long.safetensors zeros
1 | json.safetensors                | xlac run named.mlir --no-cache --inputs json.safetensors zeros
1 | bare.safetensors                | xlac run named.mlir --no-cache --inputs bare.safetensors zeros
1 | element 1 is no number of i4    | xlac run narrow.mlir --no-cache --inputs bytes.npy zeros
1 | absent.npy                      | xlac bench good.mlir --no-cache --inputs absent.npy

# Inputs by name, number and as text.
0 | [2, 4]                          | xlac run good.mlir --no-cache --inputs 2xf32=1,2
0 | [2, 2]                          | xlac run good.mlir --no-cache --inputs 2xf32=1
0 | [nan, inf]                      | xlac run good.mlir --no-cache --inputs '2xf32=[nan inf]'
0 | tensor<i32> 10                  | xlac run named.mlir --no-cache --inputs 2=i32=5 random:3
0 | tensor<i32> 10                  | xlac run named.mlir --no-cache --inputs "params['w']=zeros" x=random:1 i32=5
0 | [[7, 7, 7], [7, 7, 7]]          | xlac run named.mlir --no-cache --inputs params.w=2x3xf32=7 zeros
1 | no input has the name 'y'       | xlac run named.mlir --no-cache --inputs y=zeros
1 | there is no input 99999999999   | xlac run named.mlir --no-cache --inputs 99999999999=zeros zeros
1 | the program has 3 inputs        | xlac run named.mlir --no-cache --inputs 3=zeros zeros
1 | is given by x=zeros and by 1=zeros | xlac run named.mlir --no-cache --inputs x=zeros 1=zeros zeros
1 | missing: input 1 'x' of tensor<3xf32> | xlac run named.mlir --no-cache --inputs 0=zeros 2=zeros
1 | takes 1 inputs, got 0           | xlac run good.mlir --no-cache
1 | the program has 1 inputs        | xlac run good.mlir --no-cache --inputs pair.npy pair.npy
1 | only one of zeros and random    | xlac run named.mlir --no-cache --inputs zeros zeros
1 | is not random:SEED              | xlac run good.mlir --no-cache --inputs random:x
1 | is not random:SEED              | xlac run good.mlir --no-cache --inputs random:
1 | is not random:SEED              | xlac run good.mlir --no-cache --inputs random:-1
1 | is not random:SEED              | xlac run good.mlir --no-cache --inputs random:99999999999999999999
1 | has 2 elements, got 3           | xlac run good.mlir --no-cache --inputs 2xf32=1,2,3
1 | has 2 elements, got 0           | xlac run good.mlir --no-cache --inputs 2xf32=
1 | 'k' is not a number of f32      | xlac run good.mlir --no-cache --inputs 2xf32=1,k
1 | '1.5' is not a number of i32    | xlac run named.mlir --no-cache --inputs 2=i32=1.5 zeros
1 | is too large                    | xlac run good.mlir --no-cache --inputs 9223372036854775807x9xf32=0
1 | holds tensor<3xf32>             | xlac run good.mlir --no-cache --inputs 3xf32=0
1 | is not an array such as         | xlac run good.mlir --no-cache --inputs 0=2xq9=1
1 | is not NAME=VALUE               | xlac run good.mlir --no-cache --inputs =zeros
1 | is not NAME=VALUE               | xlac run good.mlir --no-cache --inputs 0=
1 | cannot be opened                | xlac run good.mlir --no-cache --inputs ''
2 | --inputs                        | xlac run good.mlir --no-cache --inputs

# Sizes of arguments.
0 | tensor<2x4xf32>                 | xlac run dynamic.mlir ok --shape 0=2x4
1 | its sizes must be given         | xlac run dynamic.mlir ok
1 | expected NUMBER=2x3             | xlac run dynamic.mlir ok --shape 2x4
1 | expected NUMBER=2x3             | xlac run dynamic.mlir ok --shape 0=2x-4
1 | must have size 4                | xlac run dynamic.mlir ok --shape 0=2x5
1 | has no argument 7               | xlac run dynamic.mlir ok --shape 7=2x4
1 | argument 0                      | xlac run dynamic.mlir ok --shape 0=2x4 --shape 0=3x4
1 | 0=99999999999999999999x4        | xlac run dynamic.mlir ok --shape 0=99999999999999999999x4
1 | memory                          | xlac run dynamic.mlir ok --shape 0=1099511627776x4

# Expected results.
0 | 1 results are as expected       | xlac run good.mlir ok --expected zeros
0 | 1 results are as expected       | xlac run good.mlir --no-cache --inputs pair.npy --expected 2xf32=2,4
0 | 1 results are as expected       | xlac run named.mlir ok --expected sum=2x3xf32=0
0 | 1 results are as expected       | xlac run good.mlir ok --expected 2xf32=0.1 --atol 0.2
0 | 1 results are as expected       | xlac run good.mlir --no-cache --inputs 2xf32=1 --expected 2xf32=2.1 --rtol 0.1
1 | worst at [1]: got 0, expected 2 | xlac run good.mlir ok --expected 2xf32=1,2
1 | "worst_index":"[1]"             | xlac run good.mlir ok --expected 2xf32=1,2 --json
1 | worst at [0]: got 0, expected nan | xlac run good.mlir ok --expected 2xf32=nan,2
1 | 2 of 2 elements differ          | xlac run good.mlir ok --expected pair.npy
1 | the program gives tensor<2xf32> | xlac run good.mlir ok --expected three.npy
1 | missing: result 1               | xlac run named.mlir ok --expected matrix.npy
1 | no result has the name 'y'      | xlac run named.mlir ok --expected y=zeros
1 | the program has 1 results       | xlac run good.mlir ok --expected zeros 1=zeros
1 | absent.npy                      | xlac run good.mlir ok --expected absent.npy
2 | expected a number of at least 0 | xlac run good.mlir ok --expected zeros --atol -1
2 | expected a number of at least 0 | xlac run good.mlir ok --expected zeros --rtol nan
2 | --atol                          | xlac run good.mlir ok --expected zeros --atol x
2 | --atol                          | xlac run good.mlir ok --expected zeros --atol

# Outputs that cannot be written.
0 |                                 | xlac run good.mlir ok --outputs made/deep && test -f made/deep/out_000.npy
0 |                                 | xlac compile good.mlir --dump-dir new/dump -o x.xlax && test -f new/dump/00-prepare.mlir
0 |                                 | xlac bench good.mlir ok --iters 1 --dump-dir new/bench && test -f new/bench/00-prepare.mlir
1 | file                            | xlac run good.mlir ok --outputs file
1 | file/deep                       | xlac run good.mlir ok --outputs file/deep
1 | file                            | xlac bench good.mlir ok --outputs file --iters 1
1 | file                            | xlac compile good.mlir --dump-dir file -o x.xlax
1 | file                            | xlac bench good.mlir ok --dump-dir file --iters 1
1 | absent/x.xlax                   | xlac compile good.mlir -o absent/x.xlax
1 | folder                          | xlac compile good.mlir -o folder
1 | /dev/full                       | xlac compile good.mlir -o /dev/full
1 | /dev/full                       | xlac compile good.mlir --emit llvm -o /dev/full
1 | /dev/full                       | xlac translate good.mlir -o /dev/full
1 | /dev/full                       | xlac translate good.mlir --to bytecode -o /dev/full
1 | /dev/full                       | xlac opt good.mlir --passes 'builtin.module(cse)' -o /dev/full
1 | /dev/full                       | xlac graph good.mlir --format svg -o /dev/full
1 | /dev/full                       | xlac run good.mlir ok --trace /dev/full
1 | /dev/full                       | xlac bench good.mlir ok --iters 1 --trace /dev/full
1 | /dev/full                       | xlac bench good.mlir ok --iters 1 --report /dev/full
1 | absent/t.json                   | xlac run good.mlir ok --trace absent/t.json
1 | absent/t.html                   | xlac run good.mlir ok --timeline absent/t.html
1 | /dev/full                       | xlac bench good.mlir ok --iters 1 --timeline /dev/full
1 | absent/g.svg                    | xlac graph good.mlir -o absent/g.svg
1 | standard output                 | xlac run good.mlir ok > /dev/full
1 | standard output                 | xlac run good.mlir ok --json > /dev/full
1 | standard output                 | xlac bench good.mlir ok --iters 1 > /dev/full
1 | standard output                 | xlac bench good.mlir ok --iters 1 --json > /dev/full
1 | standard output                 | xlac compile good.mlir --emit llvm > /dev/full
1 | standard output                 | xlac translate good.mlir > /dev/full
1 | standard output                 | xlac opt good.mlir --passes 'builtin.module(cse)' > /dev/full
1 | standard output                 | xlac inspect good.mlir > /dev/full
1 | standard output                 | xlac inspect good.mlir --json > /dev/full
1 | standard output                 | xlac explain good.mlir --mesh 2 > /dev/full
1 | standard output                 | xlac graph good.mlir --format dot -o - > /dev/full
1 | standard output                 | xlac check check.mlir > /dev/full
1 | standard output                 | xlac fuzz --count 1 --print > /dev/full
1 | standard output                 | xlac cache stats > /dev/full
1 | standard output                 | xlac cache list --json > /dev/full
1 | standard output                 | xlac cache verify > /dev/full
1 | standard output                 | xlac settings > /dev/full
1 | standard output                 | xlac settings --json > /dev/full
1 | standard output                 | xlac completion bash > /dev/full
1 | standard output                 | xlac manual > /dev/full
1 | standard output                 | xlac --help > /dev/full
1 | standard output                 | xlac run --help > /dev/full
1 | standard output                 | xlac --version > /dev/full
1 | standard output                 | xlac run good.mlir ok >&-
1 | /dev/full                       | xlac manual --directory /dev/full
1 | file                            | xlac manual --directory file

# Options.
2 | unknown command 'frobnicate'    | xlac frobnicate
2 | subcommand                      | xlac
2 | --frobnicate                    | xlac run good.mlir --frobnicate
2 | --frobnicate                    | xlac --frobnicate
2 | extra                           | xlac run good.mlir extra
1 | unknown target profile 'z80'    | xlac run good.mlir ok --target z80
1 | unknown target profile 'z80'    | xlac compile good.mlir --target z80 -o x.xlax
2 | --threads                       | xlac run good.mlir ok --threads 0
2 | --threads                       | xlac run good.mlir ok --threads -3
2 | --threads                       | xlac run good.mlir ok --threads many
2 | --threads                       | xlac run good.mlir ok --threads 99999999999999999999
2 | --devices                       | xlac run good.mlir ok --devices 0
2 | --devices                       | xlac run good.mlir ok --devices 5000
2 | --iters                         | xlac bench good.mlir ok --iters 0
2 | --iters                         | xlac bench good.mlir ok --iters 1e9
2 | --invariant                     | xlac run good.mlir ok --invariant x
0 | [0, 0]                          | xlac run --invariant none good.mlir ok
0 | [0, 0]                          | xlac run --invariant 0 good.mlir ok
0 | mesh: data=2                    | xlac explain --mesh 2 --axes data good.mlir
1 | number 7 cannot be invariant    | xlac run good.mlir ok --invariant 7
2 | --emit                          | xlac compile good.mlir --emit gif
2 | -o is needed                    | xlac compile good.mlir
2 | --to                            | xlac translate good.mlir --to pascal
1 | version                         | xlac translate good.mlir --to bytecode --target-version 99.0.0
1 | version                         | xlac translate good.mlir --to bytecode --target-version x
2 | --passes                        | xlac opt good.mlir
1 | nonsense                        | xlac opt good.mlir --passes 'builtin.module(nonsense)'
1 | pass                            | xlac opt good.mlir --passes '((('
2 | svg, dot nor html               | xlac graph good.mlir -o x.gif
2 | --output                        | xlac graph good.mlir
2 | --format                        | xlac graph good.mlir -o - --format gif
2 | --mesh                          | xlac explain good.mlir
1 | mesh                            | xlac explain good.mlir --mesh 0
1 | mesh                            | xlac explain good.mlir --mesh x
1 | numbers of the 1 arguments      | xlac explain good.mlir --mesh 2 --shard 9=x
2 | shell                           | xlac completion
2 | shell                           | xlac completion tcsh
2 | there is no command 'nothing'   | xlac manual nothing
2 | excludes                        | xlac manual --markdown --directory x
2 | --count                         | xlac fuzz --count -1
2 | --max-ops                       | xlac fuzz --count 1 --max-ops x
2 | program is required             | xlac launch
2 | --nproc                         | xlac launch --nproc 0 -- true
3 |                                 | xlac launch --nproc 1 -- sh -c 'exit 3'
0 |                                 | xlac launch --nproc 2 -- true
0 | 1 passed, 0 failed              | xlac check check.mlir
1 | 0 passed, 1 failed              | xlac check fails.mlir
0 |                                 | xlac check check.mlir --json
2 | files is required               | xlac check

# Images.
0 | [0, 0]                          | xlac compile good.mlir -o i.xlax && xlac run i.xlax ok
1 | incomplete                      | head -c 99 i.xlax > cut.xlax; xlac run cut.xlax ok
1 | cut.xlax                        | xlac inspect cut.xlax
1 | damaged                         | { head -c 400 i.xlax; printf x; tail -c +402 i.xlax; } > bad.xlax; xlac run bad.xlax ok
1 | is not an image                 | cp good.mlir text.xlax; xlac run text.xlax ok
1 | is not an image                 | xlac run good.mlir ok --image
1 | is an image                     | cp i.xlax plain.bin; xlac run plain.bin ok
1 | takes 1 inputs, got 0           | xlac run i.xlax
0 | 0  f32[2,3]  params['w']        | xlac compile named.mlir -o n.xlax && xlac inspect n.xlax
0 | [[1, 2, 3], [1, 2, 3]]          | xlac run n.xlax --inputs x=3xf32=1,2,3 zeros
1 | no input has the name 'm'       | xlac run n.xlax --inputs m=zeros zeros
0 | func.func @main                 | xlac translate n.xlax
0 | <svg                            | xlac graph n.xlax -o - --format svg
0 | image for baseline              | xlac compile n.xlax --target baseline -o b.xlax && xlac inspect b.xlax
0 | define                          | xlac compile n.xlax --emit llvm
0 | [[1, 2, 3], [1, 2, 3]]          | xlac run n.xlax --target baseline --no-cache --inputs x=3xf32=1,2,3 zeros
0 | argument_bytes                  | xlac explain n.xlax --mesh 2 --json
0 | kernel phases                   | xlac bench n.xlax --inputs zeros --iters 1 --report r.html
0 | tensor<2x4xf32>                 | xlac compile dynamic.mlir --shape 0=2x4 -o d.xlax && xlac compile d.xlax -o e.xlax && xlac run e.xlax --inputs zeros
0 | tensor<3x4xf32>                 | xlac run d.xlax --shape 0=3x4 --inputs zeros
0 |                                 | xlac compile d.xlax --emit obj -o d.o --shape 0=nx4 --size n=1..2 && test -f d.h
0 |                                 | xlac compile d.xlax --emit obj -o d.o && test -f d.h
0 |                                 | test "$(xlac inspect --digest n.xlax)" = "$(b2sum --length 256 < n.xlax | cut -d' ' -f1)"
0 | [0, 0]                          | xlac run i.xlax ok --digest "$(xlac inspect --digest i.xlax)"
1 | has the digest                  | xlac run i.xlax ok --digest "$(xlac inspect --digest n.xlax)"
1 | 64 hexadecimal digits           | xlac run i.xlax ok --digest 12
1 | does not contain the program    | xlac compile good.mlir --without-program -o a.xlax && xlac graph a.xlax -o a.svg
0 | [0, 0]                          | xlac run a.xlax ok
0 | [0, 0]                          | XLAC_COMPILER_LIBRARY=/nowhere.so xlac run i.xlax ok
0 | [[1, 2, 3], [1, 2, 3]]          | XLAC_COMPILER_LIBRARY=/nowhere.so xlac run n.xlax --inputs x=3xf32=1,2,3 zeros
0 | cache: miss                     | xlac run named.mlir --cache-dir warm --inputs x=3xf32=1,2,3 zeros
0 | cache: hit                      | XLAC_COMPILER_LIBRARY=/nowhere.so xlac run named.mlir --cache-dir warm --inputs x=3xf32=1,2,3 zeros
0 |                                 | XLAC_COMPILER_LIBRARY=/nowhere.so xlac run named.mlir --cache-dir warm --inputs x=3xf32=1,2,3 zeros 2>&1 | grep -c . | grep 3
1 | /nowhere.so: cannot be opened   | XLAC_COMPILER_LIBRARY=/nowhere.so xlac run good.mlir --cache-dir warm --inputs zeros
1 | empty.xlax                      | : > empty.xlax; xlac run empty.xlax ok

# Reports as JSON.
0 | "cache":"off"                   | xlac run good.mlir ok --json
0 | "planned_bytes"                 | xlac run good.mlir ok --json --memory
0 | "kernel_times"                  | xlac bench good.mlir ok --json --kernels --iters 1
0 | "percent_of_roofline"           | xlac bench good.mlir ok --json --roofline --iters 1
0 | "argument_bytes"                | xlac explain good.mlir --mesh 2 --json
0 | "simulated"                     | xlac explain good.mlir --mesh 4 --simulate --host-devices 2 --json
0 | "passed":1                      | xlac check check.mlir --json --report
1 | "failed":1                      | xlac check fails.mlir --json
0 | "passed":2                      | xlac fuzz --count 2 --json
0 | "entries":["main"]              | xlac inspect named.mlir --json

# The cache and the settings.
0 | 0 entries                       | xlac cache stats --cache-dir c0 && test ! -e c0
0 | {"entries":[]}                  | xlac cache list --json --cache-dir c0 && test ! -e c0
0 | 4096 MiB (default)              | xlac cache limit --cache-dir c0 && test ! -e c0
0 | of at most 7 MiB                | xlac cache limit --megabytes 7 --cache-dir c1
0 | of at most 7 MiB                | xlac cache prune --megabytes 1 --cache-dir c1
0 | 0 entries                       | xlac cache clear --cache-dir c1
2 | --megabytes is needed           | xlac cache prune --cache-dir c1
2 | takes no --megabytes            | xlac cache list --megabytes 3
2 | --megabytes                     | xlac cache prune --megabytes -1
2 | --megabytes                     | xlac cache prune --megabytes x
2 | action                          | xlac cache
2 | action                          | xlac cache polish
1 | file                            | xlac cache stats --cache-dir file
1 | file                            | xlac cache clear --cache-dir file/below
1 | open                            | xlac cache stats --cache-dir open
0 | running without a cache         | xlac run good.mlir --inputs zeros --cache-dir file
0 | running without a cache         | xlac run good.mlir --inputs zeros --cache-dir open
0 | XLAC_CACHE_LIMIT                | XLAC_CACHE_LIMIT=1x xlac cache limit --cache-dir c0
0 | XLAC_NUM_THREADS                | XLAC_NUM_THREADS=x xlac run good.mlir ok
0 | XLAC_FROBNICATE                 | XLAC_FROBNICATE=1 xlac run good.mlir ok
1 | /nowhere.so: cannot be opened   | XLAC_COMPILER_LIBRARY=/nowhere.so xlac run good.mlir ok
1 | words.mlir                      | XLAC_COMPILER_LIBRARY=words.mlir xlac run good.mlir ok
1 | memory                          | XLAC_DEVICE_MEMORY=1 xlac run good.mlir ok
1 | XLAC_DEVICE_MEMORY              | XLAC_DEVICE_MEMORY=x xlac run good.mlir ok
0 | XLAC_DEVICE_MEMORY              | xlac settings
0 | "XLAC_CACHE"                    | xlac settings --json
"""
